/** Calls on the event rules of a bucket, at the `uc` host. */
import type { WireRecord } from '@millpond/protocol';
import type { Authenticate } from '../../identity/accounts/index.ts';
import { emptyResponse, jsonResponse, type RequestContext, type Route } from '../../platform/web/index.ts';
import type { Bucket, Buckets } from '../buckets/index.ts';
import type { ObjectEvents } from './object-events.service.ts';
import { readEventRules } from './rules.ts';

export interface ObjectEventRouteDeps {
  readonly objectEvents: ObjectEvents;
  readonly buckets: Buckets;
  readonly authenticate: Authenticate;
}

export function objectEventRoutes({ objectEvents, buckets, authenticate }: ObjectEventRouteDeps): Route[] {
  const bucketOf = async (context: RequestContext): Promise<Bucket> => {
    const { path } = context.target;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const { uid } = await authenticate(context, () => ({ action: 'administer', bucket: name }));
    return buckets.owned(uid, name);
  };
  return [
    {
      role: 'uc',
      methods: ['POST'],
      path: '/eventRules/set/*',
      async handle(context) {
        await objectEvents.setRules(await bucketOf(context), readEventRules(context.body));
        return emptyResponse();
      },
    },
    {
      role: 'uc',
      methods: ['GET', 'POST'],
      path: '/eventRules/get/*',
      async handle(context) {
        const rules = await objectEvents.rules(await bucketOf(context));
        return jsonResponse<readonly WireRecord<'EventRule'>[]>(rules);
      },
    },
  ];
}
