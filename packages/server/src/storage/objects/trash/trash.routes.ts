/** The trash of a bucket, at the `api` host. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Authenticate, refusalOf } from '../../../identity/accounts/index.ts';
import {
  type Call,
  givenField,
  jsonAnswer,
  jsonBody,
  queryFields,
  type Route,
} from '../../../platform/web/index.ts';
import { readNumber, refused } from '../../../platform/web/resources/index.ts';
import type { Buckets } from '../../buckets/index.ts';
import type { OwnersTrash, UndeleteWish } from './trash.service.ts';

export interface TrashRouteDeps {
  readonly trash: OwnersTrash;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
}

const MOST_LISTED = 1000;
const MOST_UNDELETED = 1000;

export function trashRoutes({ trash, buckets, authenticate }: TrashRouteDeps): Route[] {
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/trash/:bucket',
      async handle(call) {
        const bucketName = call.segment('bucket');
        const prefix = () => queryFields(call).get('prefix') ?? '';
        const { uid } = await authenticate(call, () => ({
          action: 'list',
          bucket: bucketName,
          prefix: prefix(),
        }));
        const query = queryFields(call);
        const bucket = await buckets.owned(uid, bucketName);
        const page = await trash.page(
          bucket,
          {
            prefix: prefix(),
            marker: givenField(query, 'marker'),
            limit: readNumber(query, 'limit', 1, MOST_LISTED, MOST_LISTED),
          },
          call.cancel,
        );
        return jsonAnswer(page);
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/trash/:bucket/undelete',
      async handle(call) {
        const bucketName = call.segment('bucket');
        // Which keys it concerns is known only when the rows are read: each is judged then.
        const { uid, key } = await authenticate(call, () => ({
          action: 'write',
          bucket: bucketName,
          some: true,
        }));
        const wish = readWish(call);
        const bucket = await buckets.owned(uid, bucketName);
        const items = await trash.undelete(bucket, wish, (asked) => refusalOf(key, asked, call.peer.address));
        return jsonAnswer<{ readonly items: readonly WireRecord<'Undeleted'>[] }>({ items });
      },
    },
  ];
}

function readWish(call: Call): UndeleteWish {
  const { ids, as } = jsonBody(call);
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MOST_UNDELETED)
    throw refused(`ids must be a list of 1 to ${MOST_UNDELETED} ids`);
  if (as !== undefined && (typeof as !== 'string' || ids.length !== 1))
    throw refused('as must be a key, and goes with one id');
  return { ids: ids.map(readId), as };
}

function readId(id: unknown): bigint {
  if (typeof id !== 'string' || !/^\d{1,18}$/.test(id))
    throw new Fault('invalidArgument', { hint: 'an id must be one that the list of the trash shows' });
  return BigInt(id);
}
