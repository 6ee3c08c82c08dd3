/** Downloads: the bytes of an object, whole or in part, to whoever may have them. */
export { PrivatePlaylists } from './private-playlists.ts';
export { downloadRoutes } from './routes.ts';
export { Downloads } from './service.ts';
