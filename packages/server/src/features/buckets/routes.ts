/** Calls on buckets, at the `uc` host, and the query for a region's hosts, which needs no credential. */
import { Fault } from '@millpond/protocol';
import {
  type Call,
  emptyAnswer,
  jsonAnswer,
  neededField,
  type Route,
  segmentsOf,
} from '../../platform/web/index.ts';
import type { Authenticate, Keyring } from '../accounts/index.ts';
import { type BucketStyles, bucketInfo, listedBucket } from './info.ts';
import { parametersOf } from './parameters.ts';
import type { RegionHosts } from './region-hosts.ts';
import type { Buckets } from './service.ts';
import { parseTagCondition } from './tags.ts';

export interface BucketRouteDeps {
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
  readonly keyring: Keyring;
  readonly regionHosts: RegionHosts;
  readonly region: string;
  /** Styles belong to a higher layer. */
  readonly stylesOf: (bucketId: bigint) => Promise<BucketStyles>;
}

export function bucketRoutes(deps: BucketRouteDeps): Route[] {
  const { buckets, authenticate, keyring, regionHosts } = deps;
  /** Public, but only for callers who know an access key of the bucket's owner: names alone reveal nothing. */
  const query = (path: string, shape: 'byDomains' | 'bySource'): Route => ({
    role: 'uc',
    methods: ['GET', 'POST'],
    path,
    cors: true,
    async handle(call) {
      await call.readOpenBody();
      const parameters = parametersOf(call);
      const key = await keyring.find(parameters.get('ak') ?? '');
      if (key === undefined) throw new Fault('noSuchBucket');
      await buckets.belonging(key.uid, parameters.get('bucket') ?? '');
      const hosts = regionHosts[shape]({ host: call.host, secure: call.peer.secure });
      return jsonAnswer(hosts, regionHosts.isForAll ? {} : { headers: { 'cache-control': 'no-store' } });
    },
  });
  return [
    {
      role: 'uc',
      methods: ['POST'],
      path: '/mkbucketv3/*',
      async handle(call) {
        const { uid } = await authenticate(call);
        const [name, word, region, ...rest] = segmentsOf(call.target);
        if (name === undefined || word !== 'region' || region === undefined || rest.length > 0) {
          throw new Fault('invalidArgument', {
            hint: 'the path must be /mkbucketv3/<bucket>/region/<region>',
          });
        }
        await buckets.create(uid, name, region);
        return emptyAnswer();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/private',
      async handle(call) {
        const { uid } = await authenticate(call);
        const parameters = parametersOf(call);
        const isPrivate = parameters.get('private');
        if (isPrivate !== '0' && isPrivate !== '1')
          throw new Fault('invalidArgument', { hint: 'private must be 0 or 1' });
        await buckets.setPrivate(uid, neededField(parameters, 'bucket'), isPrivate === '1');
        return emptyAnswer();
      },
    },
    {
      role: 'uc',
      methods: ['GET', 'POST'],
      path: '/buckets',
      async handle(call) {
        const { uid } = await authenticate(call);
        return jsonAnswer(await listBuckets(call, uid, buckets));
      },
    },
    {
      role: 'uc',
      methods: ['GET', 'POST'],
      path: '/v2/bucketInfo',
      async handle(call) {
        const { uid } = await authenticate(call);
        const bucket = await buckets.owned(uid, neededField(parametersOf(call), 'bucket'));
        return jsonAnswer(bucketInfo(bucket, await deps.stylesOf(bucket.id)));
      },
    },
    {
      role: 'uc',
      methods: ['GET'],
      path: '/regions',
      async handle(call) {
        await authenticate(call);
        return jsonAnswer({ regions: [{ id: deps.region, description: deps.region }] });
      },
    },
    query('/v4/query', 'byDomains'),
    query('/v3/query', 'byDomains'),
    query('/v2/query', 'bySource'),
  ];
}

/** Names only or, with `apiVersion=v4`, records, a page at a time. */
async function listBuckets(call: Call, uid: bigint, buckets: Buckets): Promise<object> {
  const parameters = parametersOf(call);
  const region = parameters.get('region') || undefined;
  const tags = parseTagCondition(parameters.get('tagCondition'));
  if (parameters.get('apiVersion') !== 'v4')
    return (await buckets.ofAccount(uid, { region, tags })).map(({ name }) => name);
  const limit = parameters.get('limit') || '20';
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > 1000)
    throw new Fault('invalidArgument', { hint: 'limit must be from 1 to 1000' });
  const after = parameters.get('marker') ?? '';
  if (after.includes('\0') || !after.isWellFormed()) throw new Fault('invalidMarker');
  const found = await buckets.ofAccount(uid, { after, most: Number(limit) + 1, region, tags });
  const shown = found.slice(0, Number(limit));
  const isTruncated = found.length > shown.length;
  return {
    next_marker: isTruncated ? shown.at(-1)?.name : '',
    is_truncated: isTruncated,
    buckets: shown.map(listedBucket),
  };
}
