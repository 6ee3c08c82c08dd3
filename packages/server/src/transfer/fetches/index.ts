/** Files from other servers: fetched at once or in the background, or mirrored. */
export { createFetches } from './fetches.create.ts';
export type { Mirror } from './mirror.ts';
