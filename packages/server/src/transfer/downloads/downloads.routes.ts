/**
 * Downloads, at the `io` host: `/<bucket>/<key>`, and at hosts that name the bucket. Keys are percent-decoded here,
 * from the raw target, so that `//` and encoded slashes are preserved.
 */
import { checkKey, Fault } from '@millpond/protocol';
import { BY_BUCKET_HOST, BY_DOMAIN, type Call, type Route } from '../../platform/web/index.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import { answerPreflight } from './downloads.cors.ts';
import type { Downloads } from './downloads.service.ts';
import { percentDecoded } from './query.ts';

interface Way {
  readonly path: string;
  readonly ownDomain: boolean;
  readonly root: (bucket: Bucket) => string;
  readonly find: (call: Call) => Promise<Bucket | undefined>;
  readonly key: (call: Call) => string;
}

export function downloadRoutes(downloads: Downloads, buckets: Buckets): Route[] {
  const ways: Way[] = [
    {
      path: '/:bucket/*',
      ownDomain: false,
      root: ({ name }) => `/${name}/`,
      find: (call) => buckets.byName(call.target.path.split('/')[1] ?? ''),
      key: (call) => decodeKeyPath(call.target.path.split('/').slice(2).join('/')),
    },
    {
      path: `${BY_BUCKET_HOST}:bucket/*`,
      ownDomain: false,
      root: () => '/',
      find: (call) => buckets.byName(call.parameter('bucket')),
      key: keyOfTarget,
    },
    {
      path: `${BY_DOMAIN}:domain/*`,
      ownDomain: true,
      root: () => '/',
      find: (call) => buckets.byDomain(call.parameter('domain')),
      key: keyOfTarget,
    },
  ];
  return ways.flatMap(({ path, ownDomain, root, find, key }): Route[] => {
    const found = async (call: Call): Promise<Bucket> => {
      const bucket = await find(call);
      if (bucket === undefined) throw new Fault('notFound');
      await buckets.refuseElsewhere(bucket);
      return bucket;
    };
    return [
      {
        role: 'io',
        methods: ['GET', 'HEAD'],
        path,
        async handle(call) {
          const bucket = await found(call);
          return downloads.download(call, bucket, key(call), { ownDomain, root: root(bucket) });
        },
      },
      {
        role: 'io',
        methods: ['OPTIONS'],
        path,
        handle: async (call) => answerPreflight(call, await found(call)),
      },
    ];
  });
}

function keyOfTarget(call: Call): string {
  return decodeKeyPath(call.target.path.slice(1));
}

function decodeKeyPath(path: string): string {
  const key = percentDecoded(path);
  if (key === undefined) throw new Fault('keyNotUtf8');
  checkKey(key);
  return key;
}
