/** Every API call, described once: for OpenAPI, for the reference, and for tests that compare it with the routes. */
import { accountCalls } from './accounts.ts';
import { bucketCalls } from './buckets.ts';
import { bulkCalls } from './bulk.ts';
import type { CallDescription } from './call.ts';
import { deviceCalls } from './devices.ts';
import { figureCalls } from './figures.ts';
import { liveCalls } from './live.ts';
import { objectCalls } from './objects.ts';
import { processingCalls } from './processing.ts';
import { requestCalls } from './requests.ts';
import { sessionCalls } from './sessions.ts';
import { uploadCalls } from './uploads.ts';

export type { CallDescription } from './call.ts';
export { openApiDocument, type ServerOfRole } from './openapi.ts';

export const calls: readonly CallDescription[] = [
  ...accountCalls,
  ...sessionCalls,
  ...bucketCalls,
  ...objectCalls,
  ...bulkCalls,
  ...uploadCalls,
  ...processingCalls,
  ...requestCalls,
  ...deviceCalls,
  ...liveCalls,
  ...figureCalls,
];
