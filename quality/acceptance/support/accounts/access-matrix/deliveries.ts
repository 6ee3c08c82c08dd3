/** What was sent to receivers, and what became of requests. */
import { ADMINISTERS, BAD, EXPIRED, NO_ENTRY, ofAccount, type Row, row } from './row.ts';

const DELIVERY = '/01900000-0000-7000-8000-000000000000';

export const deliveryRows: readonly Row[] = (
  [
    ['GET /v1/deliveries', '/v1/deliveries', '200'],
    ['POST /v1/deliveries/recover', '/v1/deliveries/recover', '200'],
    ['POST /v1/deliveries/replay', '/v1/deliveries/replay', '200'],
    ['GET /v1/deliveries/endpoints', '/v1/deliveries/endpoints', '200'],
    ['POST /v1/deliveries/endpoints/:endpoint/resume', '/v1/deliveries/endpoints/1/resume', NO_ENTRY],
    ['POST /v1/deliveries/endpoints/:endpoint/test', '/v1/deliveries/endpoints/1/test', NO_ENTRY],
    ['GET /v1/deliveries/:delivery', `/v1/deliveries${DELIVERY}`, NO_ENTRY],
    ['POST /v1/deliveries/:delivery/resend', `/v1/deliveries${DELIVERY}/resend`, NO_ENTRY],
    ['GET /v1/requests/:reqid', '/v1/requests/nosuchrequest0000', NO_ENTRY],
  ] as const
).map(([route, path, own]) =>
  row(
    `api ${route}`,
    ofAccount(route, path, 'since=1'),
    [own, BAD, BAD, own, own, own, BAD, EXPIRED, BAD],
    ADMINISTERS,
  ),
);
