/** Lists of objects, at the `rsf` host: a page, or all of them as a stream. */
import type { ServerResponse } from 'node:http';
import { type AskedOfKey, Fault } from '@millpond/protocol';
import type { Authenticate } from '../../../identity/accounts/index.ts';
import {
  type Call,
  drained,
  jsonAnswer,
  neededField,
  queryFields,
  REQUEST_ID_HEADER,
  type Route,
} from '../../../platform/web/index.ts';
import type { Buckets } from '../../buckets/index.ts';
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
      async handle(call) {
        const { uid } = await authenticate(call, askedToList);
        const parameters = queryFields(call);
        const bucket = await buckets.owned(uid, neededField(parameters, 'bucket'));
        const query = { ...readListQuery(parameters), limit: readLimit(parameters) };
        return jsonAnswer(await lists.page(bucket, query, call.cancel));
      },
    },
    {
      role: 'rsf',
      methods: ['GET', 'POST'],
      path: '/v2/list',
      async handle(call) {
        const { uid } = await authenticate(call, askedToList);
        const parameters = queryFields(call);
        const bucket = await buckets.owned(uid, neededField(parameters, 'bucket'));
        const query = { ...readListQuery(parameters), limit: readStreamLimit(parameters) };
        const lines = lists.lines(bucket, query, call.cancel);
        // Errors in the request surface with the first lines, before anything is sent.
        const first = await lines.next();
        const response = call.takeOver();
        response.writeHead(200, { [REQUEST_ID_HEADER]: call.reqid, 'content-type': 'application/x-ndjson' });
        await sendLines(response, first, lines, call.cancel);
        return undefined;
      },
    },
  ];
}

/** Everything that a list shows begins with its prefix. */
function askedToList(call: Call): AskedOfKey {
  const parameters = queryFields(call);
  const { prefix } = readListQuery(parameters);
  return { action: 'list', bucket: neededField(parameters, 'bucket'), prefix };
}

function readListQuery(parameters: URLSearchParams): Omit<ListQuery, 'limit'> {
  const text = (name: string) => parameters.get(name) ?? '';
  return { prefix: text('prefix'), delimiter: text('delimiter'), marker: text('marker') };
}

function readLimit(parameters: URLSearchParams): number {
  const limit = parameters.get('limit') || '1000';
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > 1000)
    throw new Fault('invalidArgument', { hint: 'limit must be from 1 to 1000' });
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
    if (!response.write(piece.value)) await drained(response, cancel);
    piece = await next;
  }
  response.end();
}
