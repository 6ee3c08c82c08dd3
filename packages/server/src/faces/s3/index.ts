/** The same objects by the S3 protocol. */
export { createS3 } from './s3.create.ts';
