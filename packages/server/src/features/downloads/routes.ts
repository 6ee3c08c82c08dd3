/**
 * Downloads, at the `io` host: `/<bucket>/<key>`, and at hosts that name the bucket. Keys are percent-decoded here,
 * from the raw target, so that `//` and encoded slashes stay what they are.
 */
import { checkKey, decodeUtf8, Fault } from '@millpond/protocol';
import { BY_BUCKET_HOST, BY_DOMAIN, type Call, type Route } from '../../platform/web/index.ts';
import type { Buckets } from '../buckets/index.ts';
import { percentDecoded } from './query.ts';
import type { Downloads } from './service.ts';

export function downloadRoutes(downloads: Downloads, buckets: Buckets): Route[] {
  const route = (path: string, handle: Route['handle']): Route => ({
    role: 'io',
    methods: ['GET', 'HEAD'],
    path,
    handle,
  });
  return [
    route('/:bucket/*', async (call) => {
      const [, name = '', ...rest] = call.target.path.split('/');
      const bucket = await buckets.byName(name);
      if (bucket === undefined) throw new Fault('notFound');
      return downloads.download(call, bucket, decodeKeyPath(rest.join('/')), { ownDomain: false });
    }),
    route(`${BY_BUCKET_HOST}:bucket/*`, async (call) => {
      const bucket = await buckets.byName(call.parameter('bucket'));
      if (bucket === undefined) throw new Fault('notFound');
      return downloads.download(call, bucket, keyOfTarget(call), { ownDomain: false });
    }),
    route(`${BY_DOMAIN}:domain/*`, async (call) => {
      const bucket = await buckets.byDomain(call.parameter('domain'));
      if (bucket === undefined) throw new Fault('notFound', { hint: 'no such host' });
      return downloads.download(call, bucket, keyOfTarget(call), { ownDomain: true });
    }),
  ];
}

function keyOfTarget(call: Call): string {
  return decodeKeyPath(call.target.path.slice(1));
}

function decodeKeyPath(path: string): string {
  const key = decodeUtf8(percentDecoded(path));
  if (key === undefined) throw new Fault('keyNotUtf8');
  checkKey(key);
  return key;
}
