/** Downloads: the bytes of an object, whole or in part, to whoever may have them. */
export { downloadRoutes } from './routes.ts';
export { Downloads } from './service.ts';
