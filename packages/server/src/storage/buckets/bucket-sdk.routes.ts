/** Calls on buckets that only Qiniu's SDKs make, for its dialect: other forms of lists and queries that we answer in one form already. */
import { Fault } from '@millpond/protocol';
import type { Authenticate } from '../../identity/accounts/index.ts';
import { jsonResponse, type Route, segmentsOf, unixSeconds } from '../../platform/web/index.ts';
import { parametersOf } from './buckets.parameters.ts';
import type { Bucket } from './buckets.service.ts';
import { type BucketStyles, bucketInfo } from './info.ts';
import { type RegionQueryDeps, regionQuery } from './regions/region-queries.ts';

export interface SdkRouteDeps extends RegionQueryDeps {
  readonly authenticate: Authenticate;
  readonly stylesOf: (bucketId: bigint) => Promise<BucketStyles>;
}

/** Longer lists come by page from `/buckets?apiVersion=v4`, as newer SDKs ask for them. */
const MOST = 1000;
/** What is known here of a bucket in another region. */
const NO_STYLES: BucketStyles = { separator: '', styles: {} };

export function sdkRoutes(deps: SdkRouteDeps): Route[] {
  const list = (path: string, show: (bucket: Bucket) => object | Promise<object>): Route => ({
    role: 'uc',
    methods: ['GET', 'POST'],
    path,
    async handle(context) {
      const { uid, key } = await deps.authenticate(context, () => ({ action: 'list', some: true }));
      const region = parametersOf(context).get('region') || undefined;
      const shown = [];
      for (const bucket of await deps.buckets.visibleTo(uid, key?.limits ?? {}, { region, most: MOST }))
        shown.push(await show(bucket));
      return jsonResponse(shown);
    },
  });
  const infoOf = async (bucket: Bucket) =>
    bucketInfo(bucket, bucket.region === deps.regions.own ? await deps.stylesOf(bucket.id) : NO_STYLES);
  return [
    regionQuery(deps)('/v1/query', 'queryV1'),
    list('/v2/buckets', recordOf),
    list('/v3/buckets', recordOf),
    list('/v2/bucketInfos', async (bucket) => ({ name: bucket.name, info: await infoOf(bucket) })),
    {
      role: 'uc',
      methods: ['GET'],
      path: '/bucket/*',
      async handle(context) {
        const [name = '', ...rest] = segmentsOf(context.target);
        if (rest.length > 0) throw new Fault('notFound', { hint: 'the path must be /bucket/<bucket>' });
        const { uid } = await deps.authenticate(context, () => ({
          action: 'list',
          bucket: name,
          some: true,
        }));
        return jsonResponse(await infoOf(await deps.buckets.owned(uid, name)));
      },
    },
  ];
}

function recordOf({ id, name, uid, region, createdAt }: Bucket): object {
  return {
    id: String(id),
    tbl: name,
    uid: Number(uid),
    region,
    zone: region,
    ctime: unixSeconds(createdAt),
  };
}
