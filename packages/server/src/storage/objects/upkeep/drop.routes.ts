/** The one call on buckets that looks at their objects: dropping them, at the `uc` host. */
import { Fault } from '@millpond/protocol';
import type { Authenticate } from '../../../identity/accounts/index.ts';
import { type Call, emptyAnswer, type Route, segmentsOf } from '../../../platform/web/index.ts';
import type { BucketDrops } from './drop.ts';

export function dropRoutes(drops: BucketDrops, authenticate: Authenticate): Route[] {
  return [
    {
      role: 'uc',
      methods: ['POST'],
      path: '/drop/*',
      async handle(call) {
        const { uid } = await authenticate(call, () => ({ action: 'administer', bucket: nameIn(call) }));
        await drops.drop(uid, nameIn(call));
        return emptyAnswer();
      },
    },
  ];
}

function nameIn(call: Call): string {
  const [name, ...rest] = segmentsOf(call.target);
  if (name === undefined || rest.length > 0)
    throw new Fault('invalidArgument', { hint: 'the path must be /drop/<bucket>' });
  return name;
}
