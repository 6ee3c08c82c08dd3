/** Builds events of objects: the rules of buckets, and the teller that makes deliveries of what they select. */
import type { Log } from '@millpond/base';
import type { Deliveries } from '../../events/deliveries/index.ts';
import type { Authenticate } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Buckets } from '../buckets/index.ts';
import { EventDispatcher } from './dispatcher.ts';
import { ObjectEventStore } from './object-event.store.ts';
import { EventRuleStore } from './object-event-rule.store.ts';
import { objectEventMetrics } from './object-events.metrics.ts';
import { objectEventRoutes } from './object-events.routes.ts';
import { ObjectEvents } from './object-events.service.ts';

export interface ObjectEventsDeps {
  readonly region: Database;
  /** The region, on connections that requests can't use up. */
  readonly sending: Database;
  readonly log: Log;
  readonly authenticate: Authenticate;
  readonly buckets: Buckets;
  readonly deliveries: Deliveries;
}

export interface ObjectEventsFeature extends Feature {
  readonly objectEvents: ObjectEvents;
  readonly dispatcher: EventDispatcher;
}

export function createObjectEvents(
  deps: ObjectEventsDeps,
  settings: { readonly region: string },
): ObjectEventsFeature {
  const { deliveries, log } = deps;
  const objectEvents = new ObjectEvents({ store: new EventRuleStore(deps.region), deliveries });
  const store = new ObjectEventStore(deps.sending);
  return {
    objectEvents,
    dispatcher: new EventDispatcher({ store, deliveries, region: settings.region, log }),
    routes: objectEventRoutes({ ...deps, objectEvents }),
    jobs: [],
    metrics: objectEventMetrics(store),
  };
}
