/** Calls on buckets, at the `uc` host, and the query for a region's hosts, which needs no credential. */
import { Fault, type KeyLimits } from '@millpond/protocol';
import type { Authenticate, PermissionsForCall } from '../../identity/accounts/index.ts';
import {
  emptyResponse,
  jsonResponse,
  type RequestContext,
  type Route,
  requiredField,
  segmentsOf,
} from '../../platform/web/index.ts';
import { parametersOf } from './buckets.parameters.ts';
import type { Buckets } from './buckets.service.ts';
import type { BucketSearch } from './buckets.store.ts';
import { type BucketStyles, bucketInfo, listedBucket } from './info.ts';
import { type RegionQueryDeps, regionQuery } from './regions/region-queries.ts';
import { parseTagCondition } from './tags.ts';

export interface BucketRouteDeps extends RegionQueryDeps {
  readonly authenticate: Authenticate;
  /** Where the account's new buckets go. */
  readonly defaultRegion: (uid: bigint) => Promise<string>;
  /** Styles belong to a higher layer. */
  readonly stylesOf: (bucketId: bigint) => Promise<BucketStyles>;
}

export function bucketRoutes(deps: BucketRouteDeps): Route[] {
  const { buckets, authenticate, regions, regionHosts } = deps;
  const query = regionQuery(deps);
  return [
    {
      role: 'uc',
      methods: ['POST'],
      path: '/mkbucketv3/*',
      async handle(context) {
        const { uid } = await authenticate(context, () => ({
          action: 'administer',
          bucket: newBucketIn(context).name,
        }));
        const { name, region, isPrivate } = newBucketIn(context);
        await buckets.create(uid, name, region, { isPrivate });
        return emptyResponse();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/private',
      async handle(context) {
        const { uid } = await authenticate(context, () => ({
          action: 'administer',
          bucket: bucketIn(context),
        }));
        const parameters = parametersOf(context);
        const isPrivate = parameters.get('private');
        if (isPrivate !== '0' && isPrivate !== '1')
          throw new Fault('invalidArgument', { hint: 'private must be 0 or 1' });
        await buckets.setPrivate(uid, bucketIn(context), isPrivate === '1');
        return emptyResponse();
      },
    },
    {
      role: 'uc',
      methods: ['GET', 'POST'],
      path: '/buckets',
      async handle(context) {
        // Only those that the key may know are shown.
        const { uid, key } = await authenticate(context, () => ({ action: 'list', some: true }));
        return jsonResponse(await listBuckets(context, uid, buckets, key?.limits));
      },
    },
    {
      role: 'uc',
      methods: ['GET', 'POST'],
      path: '/v2/bucketInfo',
      async handle(context) {
        // Who lists objects needs to know how they are reached.
        const permissionsForCall: PermissionsForCall = () => ({
          action: 'list',
          bucket: bucketIn(context),
          some: true,
        });
        const { uid } = await authenticate(context, permissionsForCall);
        const bucket = await buckets.owned(uid, bucketIn(context));
        return jsonResponse(bucketInfo(bucket, await deps.stylesOf(bucket.id)));
      },
    },
    {
      role: 'uc',
      methods: ['GET'],
      path: '/regions',
      async handle(context) {
        // Says nothing about the account but where its new buckets go: that region is the first, and clients take it.
        const { uid } = await authenticate(context, () => []);
        const first = await deps.defaultRegion(uid);
        const others = (await regions.names()).filter((name) => name !== first);
        const asked = { host: context.host, secure: context.peer.secure };
        const listed = [first, ...others].map(async (name) =>
          (name === regions.own ? regionHosts : await regions.listed(name)).listed(asked),
        );
        return jsonResponse({ regions: await Promise.all(listed) });
      },
    },
    query('/v4/query', 'queryV4'),
    query('/v3/query', 'queryV3'),
    query('/v2/query', 'queryV2'),
  ];
}

function bucketIn(context: RequestContext): string {
  return requiredField(parametersOf(context), 'bucket');
}

function newBucketIn(context: RequestContext): { name: string; region: string; isPrivate: boolean } {
  const [name, word, region, ...rest] = segmentsOf(context.target);
  const isPrivate = rest.length > 0 ? PRIVATE.get(rest.join('/')) : false;
  if (name === undefined || word !== 'region' || region === undefined || isPrivate === undefined)
    throw new Fault('invalidArgument', {
      hint: 'the path must be /mkbucketv3/<bucket>/region/<region>[/private/<true or false>]',
    });
  return { name, region, isPrivate };
}

/** What may follow the region. */
const PRIVATE: ReadonlyMap<string, boolean> = new Map([
  ['private/true', true],
  ['private/false', false],
]);

/** Names only or, with `apiVersion=v4`, records, a page at a time. */
async function listBuckets(
  context: RequestContext,
  uid: bigint,
  buckets: Buckets,
  limits: KeyLimits = {},
): Promise<object> {
  const parameters = parametersOf(context);
  const region = parameters.get('region') || undefined;
  const tags = parseTagCondition(parameters.get('tagCondition'));
  const shown = (search: Partial<BucketSearch>) => buckets.visibleTo(uid, limits, search);
  if (parameters.get('apiVersion') !== 'v4') return (await shown({ region, tags })).map(({ name }) => name);
  const limit = parameters.get('limit') || '20';
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > 1000)
    throw new Fault('invalidArgument', { hint: 'limit must be from 1 to 1000' });
  const after = parameters.get('marker') ?? '';
  if (after.includes('\0') || !after.isWellFormed()) throw new Fault('invalidMarker');
  const found = await shown({ after, most: Number(limit) + 1, region, tags });
  const page = found.slice(0, Number(limit));
  const isTruncated = found.length > page.length;
  return {
    next_marker: isTruncated ? page.at(-1)?.name : '',
    is_truncated: isTruncated,
    buckets: page.map(listedBucket),
  };
}
