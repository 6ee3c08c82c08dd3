/** Uploads: from a token and a file to an object and an answer. */
export { lookInside } from './look.ts';
export { uploadRoutes } from './routes.ts';
export { createUploads, type Uploads } from './service.ts';
