/** What became of single requests. */
export { createRequests, type RequestsFeature } from './requests.create.ts';
export type { Requests } from './requests.service.ts';
