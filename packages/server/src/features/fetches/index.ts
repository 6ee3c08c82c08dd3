/** Files that come from other servers: fetched at once or in the background, or mirrored. */
export { type AsyncFetches, FETCH_SLOTS, type RequestFetch } from './async-fetches.ts';
export { createFetching } from './create.ts';
export type { Mirror } from './mirror.ts';
export { fetchRoutes } from './routes.ts';
