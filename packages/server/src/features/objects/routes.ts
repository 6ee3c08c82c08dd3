/** Calls on objects, at the `rs` host, and lists of them, at the `rsf` host. */
import { Fault, type ObjectEntry, parseObjectEntry } from '@millpond/protocol';
import { type Call, emptyAnswer, jsonAnswer, type Route, segmentsOf } from '../../platform/web/index.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { ListQuery, Lists } from './list.ts';
import type { Objects } from './service.ts';

export interface ObjectRouteParts {
  readonly objects: Objects;
  readonly lists: Lists;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
}

export function objectRoutes({ objects, lists, buckets, authenticate }: ObjectRouteParts): Route[] {
  return [
    {
      role: 'rs',
      methods: ['GET', 'POST'],
      path: '/stat/*',
      async handle(call) {
        const { uid } = await authenticate(call);
        return jsonAnswer(await objects.stat(uid, onlyEntry(call), call.cancel));
      },
    },
    {
      role: 'rs',
      methods: ['POST'],
      path: '/delete/*',
      async handle(call) {
        const { uid } = await authenticate(call);
        await objects.remove(uid, onlyEntry(call));
        return emptyAnswer();
      },
    },
    {
      role: 'rsf',
      methods: ['GET', 'POST'],
      path: '/list',
      async handle(call) {
        const { uid } = await authenticate(call);
        const parameters = new URLSearchParams(call.target.query);
        const bucket = await buckets.owned(uid, parameters.get('bucket') ?? '');
        return jsonAnswer(await lists.page(bucket, readListQuery(parameters), call.cancel));
      },
    },
  ];
}

/** The entry of a path that holds nothing else. */
function onlyEntry(call: Call): ObjectEntry {
  const [encoded, ...rest] = segmentsOf(call.target);
  if (encoded === undefined || rest.length > 0) {
    throw new Fault('invalidArgument', { hint: 'the path is /<operation>/<EncodedEntryURI>' });
  }
  return parseObjectEntry(encoded);
}

function readListQuery(parameters: URLSearchParams): ListQuery {
  const text = (name: string) => parameters.get(name) ?? '';
  const limit = text('limit') === '' ? '1000' : text('limit');
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > 1000) {
    throw new Fault('invalidArgument', { hint: 'limit is from 1 to 1000' });
  }
  return {
    prefix: text('prefix'),
    delimiter: text('delimiter'),
    marker: text('marker'),
    limit: Number(limit),
  };
}
