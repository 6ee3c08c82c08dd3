/** Files from other servers: fetched at once or in the background, or mirrored. */
export { createFetches } from './create.ts';
export type { Mirror } from './mirror.ts';
