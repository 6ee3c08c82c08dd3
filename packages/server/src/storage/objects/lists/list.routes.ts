/** Lists of objects, at the `rsf` host: a page, or all of them as a stream. */

import type { ServerResponse } from 'node:http';
import { Fault, type RequiredPermission } from '@millpond/protocol';
import type { Authenticate } from '../../../identity/accounts/index.ts';
import {
  jsonResponse,
  queryFields,
  REQUEST_ID_HEADER,
  type RequestContext,
  type Route,
  requiredField,
  waitForDrain,
} from '../../../platform/web/index.ts';
import type { Buckets } from '../../buckets/index.ts';
import { MAX_OBJECTS_LISTED } from '../../limits.ts';
import type { ListQuery, Lists } from './list.ts';

export interface ListRouteDeps {
  readonly lists: Lists;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
}

export function listRoutes({ lists, buckets, authenticate }: ListRouteDeps): Route[] {
  return [
    {
      role: 'rsf',
      methods: ['GET', 'POST'],
      path: '/list',
      async handle(context) {
        const { uid } = await authenticate(context, listPermissions);
        const parameters = queryFields(context);
        const bucket = await buckets.owned(uid, requiredField(parameters, 'bucket'));
        const query = { ...readListQuery(parameters), limit: readLimit(parameters) };
        return jsonResponse(await lists.page(bucket, query, context.cancel));
      },
    },
    {
      role: 'rsf',
      methods: ['GET', 'POST'],
      path: '/v2/list',
      async handle(context) {
        const { uid } = await authenticate(context, listPermissions);
        const parameters = queryFields(context);
        const bucket = await buckets.owned(uid, requiredField(parameters, 'bucket'));
        const query = { ...readListQuery(parameters), limit: readStreamLimit(parameters) };
        const lines = lists.lines(bucket, query, context.cancel);
        // Errors in the request surface with the first lines, before anything is sent.
        const first = await lines.next();
        const response = context.takeOver();
        response.writeHead(200, {
          [REQUEST_ID_HEADER]: context.reqid,
          'content-type': 'application/x-ndjson',
        });
        await sendLines(response, first, lines, context.cancel);
        return undefined;
      },
    },
  ];
}

/** Everything that a list shows begins with its prefix. */
function listPermissions(context: RequestContext): RequiredPermission {
  const parameters = queryFields(context);
  const { prefix } = readListQuery(parameters);
  return { action: 'list', bucket: requiredField(parameters, 'bucket'), prefix };
}

function readListQuery(parameters: URLSearchParams): Omit<ListQuery, 'limit'> {
  const text = (name: string) => parameters.get(name) ?? '';
  return { prefix: text('prefix'), delimiter: text('delimiter'), marker: text('marker') };
}

function readLimit(parameters: URLSearchParams): number {
  const limit = parameters.get('limit') || String(MAX_OBJECTS_LISTED);
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_OBJECTS_LISTED)
    throw new Fault('invalidArgument', { hint: `limit must be from 1 to ${MAX_OBJECTS_LISTED}` });
  return Number(limit);
}

/** Absent or 0: everything is listed. */
function readStreamLimit(parameters: URLSearchParams): number {
  const limit = parameters.get('limit') || '0';
  if (!/^\d{1,15}$/.test(limit)) throw new Fault('invalidArgument', { hint: 'limit must be a whole number' });
  return Number(limit) === 0 ? Number.POSITIVE_INFINITY : Number(limit);
}

export async function sendLines(
  response: ServerResponse,
  first: IteratorResult<string>,
  rest: AsyncGenerator<string, void>,
  cancel: AbortSignal,
): Promise<void> {
  let piece = first;
  while (!piece.done) {
    const next = rest.next();
    // Awaited below; until then a failure must not count as an unhandled rejection.
    next.catch(() => undefined);
    if (!response.write(piece.value)) await waitForDrain(response, cancel);
    piece = await next;
  }
  response.end();
}
