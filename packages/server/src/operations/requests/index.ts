/** What became of single requests. */
export { createRequests, type RequestsFeature } from './create.ts';
export type { Requests } from './service.ts';
