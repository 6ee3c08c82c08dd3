/** Files that come from other servers: fetched at once or in the background, or mirrored. */
export { AsyncCallbacks } from './async-callbacks.ts';
export { AsyncFetches, type RequestFetch } from './async-fetches.ts';
export { AsyncStore } from './async-store.ts';
export { Mirror } from './mirror.ts';
export { MirrorStore } from './mirror-store.ts';
export { fetchRoutes } from './routes.ts';
export { Fetches } from './service.ts';
