/** Uploads: from a token and a file to an object and an answer. */
export { createUploads } from './create.ts';
export type { S3PartRow, S3UploadRow } from './resumable/s3-upload-store.ts';
export type { S3Uploads } from './resumable/s3-uploads.ts';
