/** Uploads: from a token and a file to an object and an answer. */
export { createUploads, type UploadsFeature } from './create.ts';
