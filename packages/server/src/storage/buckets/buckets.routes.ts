/** Calls on buckets, at the `uc` host, and the query for a region's hosts, which needs no credential. */
import { Fault, type KeyLimits } from '@millpond/protocol';
import type { Asks, Authenticate } from '../../identity/accounts/index.ts';
import {
  type Call,
  emptyAnswer,
  jsonAnswer,
  neededField,
  type Route,
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
      async handle(call) {
        const { uid } = await authenticate(call, () => ({
          action: 'administer',
          bucket: newBucketIn(call).name,
        }));
        const { name, region, isPrivate } = newBucketIn(call);
        await buckets.create(uid, name, region, { isPrivate });
        return emptyAnswer();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/private',
      async handle(call) {
        const { uid } = await authenticate(call, () => ({ action: 'administer', bucket: bucketIn(call) }));
        const parameters = parametersOf(call);
        const isPrivate = parameters.get('private');
        if (isPrivate !== '0' && isPrivate !== '1')
          throw new Fault('invalidArgument', { hint: 'private must be 0 or 1' });
        await buckets.setPrivate(uid, bucketIn(call), isPrivate === '1');
        return emptyAnswer();
      },
    },
    {
      role: 'uc',
      methods: ['GET', 'POST'],
      path: '/buckets',
      async handle(call) {
        // Only those that the key may know are shown.
        const { uid, key } = await authenticate(call, () => ({ action: 'list', some: true }));
        return jsonAnswer(await listBuckets(call, uid, buckets, key?.limits));
      },
    },
    {
      role: 'uc',
      methods: ['GET', 'POST'],
      path: '/v2/bucketInfo',
      async handle(call) {
        // Who lists objects needs to know how they are reached.
        const asks: Asks = () => ({ action: 'list', bucket: bucketIn(call), some: true });
        const { uid } = await authenticate(call, asks);
        const bucket = await buckets.owned(uid, bucketIn(call));
        return jsonAnswer(bucketInfo(bucket, await deps.stylesOf(bucket.id)));
      },
    },
    {
      role: 'uc',
      methods: ['GET'],
      path: '/regions',
      async handle(call) {
        // Says nothing about the account but where its new buckets go: that region is the first, and clients take it.
        const { uid } = await authenticate(call, () => []);
        const first = await deps.defaultRegion(uid);
        const others = (await regions.names()).filter((name) => name !== first);
        const asked = { host: call.host, secure: call.peer.secure };
        const listed = [first, ...others].map(async (name) =>
          (name === regions.own ? regionHosts : await regions.listed(name)).listed(asked),
        );
        return jsonAnswer({ regions: await Promise.all(listed) });
      },
    },
    query('/v4/query', 'byDomains'),
    query('/v3/query', 'byBoth'),
    query('/v2/query', 'bySource'),
  ];
}

function bucketIn(call: Call): string {
  return neededField(parametersOf(call), 'bucket');
}

function newBucketIn(call: Call): { name: string; region: string; isPrivate: boolean } {
  const [name, word, region, ...rest] = segmentsOf(call.target);
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
  call: Call,
  uid: bigint,
  buckets: Buckets,
  limits: KeyLimits = {},
): Promise<object> {
  const parameters = parametersOf(call);
  const region = parameters.get('region') || undefined;
  const tags = parseTagCondition(parameters.get('tagCondition'));
  const shown = (search: Partial<BucketSearch>) => buckets.shownTo(uid, limits, search);
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
