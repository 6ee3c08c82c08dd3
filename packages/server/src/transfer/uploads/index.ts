/** Uploads: from a token and a file to an object and an answer. */

export { ByteBuffer as FieldBytes } from './form/byte-buffer.ts';
export { type MultipartEvent, MultipartParser } from './form/form-parser.ts';
export { type PartHeaders, readPartHeaders } from './form/part-headers.ts';
export { boundaryOf } from './form/upload-form-reader.ts';
export type { ListedUpload, S3PartRow, S3UploadRow, UploadPage } from './resumable/s3-upload.store.ts';
export type { S3Uploads } from './resumable/s3-uploads.ts';
export { isUploadId } from './resumable/upload.store.ts';
export { createUploads } from './uploads.create.ts';
