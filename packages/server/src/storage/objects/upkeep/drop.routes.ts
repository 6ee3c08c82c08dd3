/** The one call on buckets that looks at their objects: dropping them, at the `uc` host. */
import { Fault } from '@millpond/protocol';
import type { Authenticate } from '../../../identity/accounts/index.ts';
import { emptyResponse, type RequestContext, type Route, segmentsOf } from '../../../platform/web/index.ts';
import type { BucketDrops } from './drop-bucket.ts';

export function dropRoutes(drops: BucketDrops, authenticate: Authenticate): Route[] {
  return [
    {
      role: 'uc',
      methods: ['POST'],
      path: '/drop/*',
      async handle(context) {
        const { uid } = await authenticate(context, () => ({
          action: 'administer',
          bucket: nameIn(context),
        }));
        await drops.drop(uid, nameIn(context));
        return emptyResponse();
      },
    },
  ];
}

function nameIn(context: RequestContext): string {
  const [name, ...rest] = segmentsOf(context.target);
  if (name === undefined || rest.length > 0)
    throw new Fault('invalidArgument', { hint: 'the path must be /drop/<bucket>' });
  return name;
}
