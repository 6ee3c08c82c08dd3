/** Calls on work on many objects, at the `api` host. */
import { bulkStates } from '@millpond/protocol';
import { type Authenticate, judgedLater } from '../../identity/accounts/index.ts';
import { givenField, jsonAnswer, queryFields, type Route } from '../../platform/web/index.ts';
import { readNumber, refused } from '../../platform/web/resources/index.ts';
import { askedOfBulk, readBulkRequest } from './bulk.request.ts';
import type { Bulk, BulkQuery } from './bulk.service.ts';

const MOST_LISTED = 100;
const ACCEPTED = 202;

export function bulkRoutes(bulk: Bulk, authenticate: Authenticate): Route[] {
  return [
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/bulk',
      async handle(call) {
        const caller = await authenticate(call, () => askedOfBulk(readBulkRequest(call)));
        const made = await bulk.submit(caller, readBulkRequest(call), call.peer.address);
        return jsonAnswer(made, { status: ACCEPTED });
      },
    },
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/bulk',
      async handle(call) {
        const caller = await authenticate(call, judgedLater);
        return jsonAnswer(await bulk.page(caller, readQuery(queryFields(call))));
      },
    },
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/bulk/:id',
      async handle(call) {
        const caller = await authenticate(call, judgedLater);
        return jsonAnswer(await bulk.get(caller, call.segment('id')));
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/bulk/:id/stop',
      async handle(call) {
        const caller = await authenticate(call, judgedLater);
        return jsonAnswer(await bulk.stop(caller, call.segment('id')));
      },
    },
  ];
}

function readQuery(query: URLSearchParams): BulkQuery {
  const given = givenField(query, 'state');
  const state = bulkStates.find((each) => each === given);
  if (given !== undefined && state === undefined)
    throw refused(`state must be one of ${bulkStates.join(', ')}`);
  return {
    state,
    marker: givenField(query, 'marker'),
    limit: readNumber(query, 'limit', 1, MOST_LISTED, MOST_LISTED),
  };
}
