/** Uploads: from a token and a file to an object and an answer. */
export { uploadRoutes } from './routes.ts';
export { createUploads, type Uploads } from './service.ts';
