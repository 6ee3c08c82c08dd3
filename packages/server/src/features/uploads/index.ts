/** Uploads: from a token and a file to an object. */
export { uploadRoutes } from './routes.ts';
export { Uploads } from './service.ts';
