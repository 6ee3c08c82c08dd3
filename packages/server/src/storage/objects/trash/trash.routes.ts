/** The trash of a bucket, at the `api` host. */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Authenticate, keyLimitViolation } from '../../../identity/accounts/index.ts';
import {
  jsonBody,
  jsonResponse,
  optionalField,
  queryFields,
  type RequestContext,
  type Route,
} from '../../../platform/web/index.ts';
import { invalidField, readNumber } from '../../../platform/web/resources/index.ts';
import type { Buckets } from '../../buckets/index.ts';
import type { BucketTrash, UndeleteRequest } from './trash.service.ts';

export interface TrashRouteDeps {
  readonly trash: BucketTrash;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
}

const MAX_LISTED = 1000;
const MAX_UNDELETED = 1000;

export function trashRoutes({ trash, buckets, authenticate }: TrashRouteDeps): Route[] {
  return [
    {
      role: 'api',
      methods: ['GET'],
      path: '/v1/trash/:bucket',
      async handle(context) {
        const bucketName = context.segment('bucket');
        const prefix = () => queryFields(context).get('prefix') ?? '';
        const { uid } = await authenticate(context, () => ({
          action: 'list',
          bucket: bucketName,
          prefix: prefix(),
        }));
        const query = queryFields(context);
        const bucket = await buckets.owned(uid, bucketName);
        const page = await trash.page(
          bucket,
          {
            prefix: prefix(),
            marker: optionalField(query, 'marker'),
            limit: readNumber(query, 'limit', 1, MAX_LISTED, MAX_LISTED),
          },
          context.cancel,
        );
        return jsonResponse(page);
      },
    },
    {
      role: 'api',
      methods: ['POST'],
      path: '/v1/trash/:bucket/undelete',
      async handle(context) {
        const bucketName = context.segment('bucket');
        // Which keys it concerns is known only when the rows are read: each is judged then.
        const { uid, key } = await authenticate(context, () => ({
          action: 'write',
          bucket: bucketName,
          some: true,
        }));
        const wish = readWish(context);
        const bucket = await buckets.owned(uid, bucketName);
        const items = await trash.undelete(bucket, wish, (asked) =>
          keyLimitViolation(key, asked, context.peer.address),
        );
        return jsonResponse<{ readonly items: readonly WireRecord<'Undeleted'>[] }>({ items });
      },
    },
  ];
}

function readWish(context: RequestContext): UndeleteRequest {
  const { ids, as } = jsonBody(context);
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_UNDELETED)
    throw invalidField(`ids must be a list of 1 to ${MAX_UNDELETED} ids`);
  if (as !== undefined && (typeof as !== 'string' || ids.length !== 1))
    throw invalidField('as must be a key, and goes with one id');
  return { ids: ids.map(readId), as };
}

function readId(id: unknown): bigint {
  if (typeof id !== 'string' || !/^\d{1,18}$/.test(id))
    throw new Fault('invalidArgument', { hint: 'an id must be one that the list of the trash shows' });
  return BigInt(id);
}
