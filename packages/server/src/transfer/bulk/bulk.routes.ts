/** Calls on work on many objects, at the `api` host. */
import { bulkStates } from '@millpond/protocol';
import { type Authenticate, CHECKED_IN_HANDLER } from '../../identity/accounts/index.ts';
import { jsonResponse, optionalField, queryFields, type Route } from '../../platform/web/index.ts';
import { invalidField, readNumber } from '../../platform/web/resources/index.ts';
import { bulkPermissions, readBulkRequest } from './bulk.request.ts';
import type { Bulk, BulkQuery } from './bulk.service.ts';

const MAX_LISTED = 100;
const ACCEPTED = 202;

export function bulkRoutes(bulk: Bulk, authenticate: Authenticate): Route[] {
  return [
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/bulk',
      async handle(context) {
        const caller = await authenticate(context, () => bulkPermissions(readBulkRequest(context)));
        const made = await bulk.submit(caller, readBulkRequest(context), context.peer.address);
        return jsonResponse(made, { status: ACCEPTED });
      },
    },
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/bulk',
      async handle(context) {
        const caller = await authenticate(context, CHECKED_IN_HANDLER);
        return jsonResponse(await bulk.page(caller, readQuery(queryFields(context))));
      },
    },
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/bulk/:id',
      async handle(context) {
        const caller = await authenticate(context, CHECKED_IN_HANDLER);
        return jsonResponse(await bulk.get(caller, context.segment('id')));
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/bulk/:id/stop',
      async handle(context) {
        const caller = await authenticate(context, CHECKED_IN_HANDLER);
        return jsonResponse(await bulk.stop(caller, context.segment('id')));
      },
    },
  ];
}

function readQuery(query: URLSearchParams): BulkQuery {
  const given = optionalField(query, 'state');
  const state = bulkStates.find((each) => each === given);
  if (given !== undefined && state === undefined)
    throw invalidField(`state must be one of ${bulkStates.join(', ')}`);
  return {
    state,
    marker: optionalField(query, 'marker'),
    limit: readNumber(query, 'limit', 1, MAX_LISTED, MAX_LISTED),
  };
}
