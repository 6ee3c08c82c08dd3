/** Builds live on the floors below it. */
import type { Authenticate } from './features/accounts/index.ts';
import type { Buckets } from './features/buckets/index.ts';
import type { Deliveries } from './features/deliveries/index.ts';
import {
  LiveEvents,
  NamespaceStore,
  Namespaces,
  namespaceRoutes,
  resourceRoutes,
  TemplateStore,
  Templates,
  templateRoutes,
} from './features/live/index.ts';
import type { Infra } from './infra.ts';
import type { Route } from './platform/web/index.ts';

export interface LiveParts {
  readonly buckets: Buckets;
  readonly deliveries: Deliveries;
  readonly authenticate: Authenticate;
}

export interface Live {
  readonly events: LiveEvents;
  readonly namespaces: Namespaces;
  readonly routes: readonly Route[];
}

export function makeLive(infra: Infra, { buckets, deliveries, authenticate }: LiveParts): Live {
  const namespaceStore = new NamespaceStore(infra.region);
  const templates = new Templates({ store: new TemplateStore(infra.region), buckets });
  const namespaces = new Namespaces({ store: namespaceStore, templates, outbound: infra.outbound });
  const route = resourceRoutes(authenticate);
  return {
    events: new LiveEvents({ namespaces: namespaceStore, deliveries }),
    namespaces,
    routes: [...namespaceRoutes(route, namespaces), ...templateRoutes(route, templates)],
  };
}
