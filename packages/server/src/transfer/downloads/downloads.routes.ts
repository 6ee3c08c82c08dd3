/**
 * Downloads, at the `io` host: `/<bucket>/<key>`, and at hosts that name the bucket. Keys are percent-decoded here,
 * from the raw target, so that `//` and encoded slashes are preserved.
 */
import { checkKey, Fault } from '@millpond/protocol';
import { BY_BUCKET_HOST, DOMAIN_PREFIX, type RequestContext, type Route } from '../../platform/web/index.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import { answerPreflight } from './downloads.cors.ts';
import type { Downloads } from './downloads.service.ts';
import { percentDecoded } from './query.ts';

interface AddressingStyle {
  readonly path: string;
  readonly ownDomain: boolean;
  readonly root: (bucket: Bucket) => string;
  readonly find: (context: RequestContext) => Promise<Bucket | undefined>;
  readonly key: (context: RequestContext) => string;
}

export function downloadRoutes(downloads: Downloads, buckets: Buckets): Route[] {
  const addressingStyles: AddressingStyle[] = [
    {
      path: '/:bucket/*',
      ownDomain: false,
      root: ({ name }) => `/${name}/`,
      find: (context) => buckets.byName(context.target.path.split('/')[1] ?? ''),
      key: (context) => decodeKeyPath(context.target.path.split('/').slice(2).join('/')),
    },
    {
      path: `${BY_BUCKET_HOST}:bucket/*`,
      ownDomain: false,
      root: () => '/',
      find: (context) => buckets.byName(context.parameter('bucket')),
      key: keyOfTarget,
    },
    {
      path: `${DOMAIN_PREFIX}:domain/*`,
      ownDomain: true,
      root: () => '/',
      find: (context) => buckets.byDomain(context.parameter('domain')),
      key: keyOfTarget,
    },
  ];
  return addressingStyles.flatMap(({ path, ownDomain, root, find, key }): Route[] => {
    const found = async (context: RequestContext): Promise<Bucket> => {
      const bucket = await find(context);
      if (bucket === undefined) throw new Fault('notFound');
      await buckets.assertInThisRegion(bucket);
      return bucket;
    };
    return [
      {
        role: 'io',
        methods: ['GET', 'HEAD'],
        path,
        async handle(context) {
          const bucket = await found(context);
          return downloads.download(context, bucket, key(context), { ownDomain, root: root(bucket) });
        },
      },
      {
        role: 'io',
        methods: ['OPTIONS'],
        path,
        handle: async (context) => answerPreflight(context, await found(context)),
      },
    ];
  });
}

function keyOfTarget(context: RequestContext): string {
  return decodeKeyPath(context.target.path.slice(1));
}

function decodeKeyPath(path: string): string {
  const key = percentDecoded(path);
  if (key === undefined) throw new Fault('keyNotUtf8');
  checkKey(key);
  return key;
}
