/** Builds what has to do with buckets: themselves, their owners' settings, usage and quotas, lifecycle rules, drops. */
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import type { Authenticate, Keyring } from '../features/accounts/index.ts';
import {
  BucketSettingsStore,
  BucketStore,
  Buckets,
  bucketRoutes,
  bucketSettingsRoutes,
  Domains,
  LifecycleSettings,
  RegionHosts,
} from '../features/buckets/index.ts';
import { Cooling, Lifecycle, LifecycleStore } from '../features/lifecycle/index.ts';
import { BucketDrops, dropRoutes, EmptyingStore, type RequestClassMove } from '../features/objects/index.ts';
import { readStyles, StyleStore } from '../features/pictures/index.ts';
import { RequestCounter, Usage, UsageStore, usageRoutes } from '../features/usage/index.ts';
import { textLookup } from '../platform/dns.ts';
import type { Route } from '../platform/web/index.ts';

export interface BucketServices {
  readonly buckets: Buckets;
  readonly domains: Domains;
  readonly drops: BucketDrops;
  readonly lifecycle: Lifecycle;
  readonly requests: RequestCounter;
  readonly usage: Usage;
}

export interface BucketServiceParts {
  readonly keyring: Keyring;
  readonly authenticate: Authenticate;
  readonly requestMove: RequestClassMove | undefined;
}

export function makeBucketServices(
  infra: Infra,
  config: Config,
  { keyring, authenticate, requestMove }: BucketServiceParts,
): BucketServices & { readonly routes: readonly Route[] } {
  const usageStore = new UsageStore(infra.region);
  const requests = new RequestCounter(usageStore, infra.log);
  const buckets = new Buckets(new BucketStore(infra.control, infra.region), {
    region: config.region,
    maxBuckets: config.maxBuckets,
    freshMs: config.controlCache,
    staleMs: config.controlStale,
    ...(!config.openCors && { corsDefault: [] }),
    onCall: (bucket) => requests.count(bucket, 'calls'),
  });
  const usage = new Usage(usageStore, buckets);
  const store = new BucketSettingsStore(infra.control);
  const domains = new Domains({
    store,
    buckets,
    own: { hosts: config.hosts.map(({ host }) => host), downloadSuffix: config.downloadSuffix },
    proof: config.domainProof,
    proofKeys: infra.sealer.deriveKeys('domains'),
    lookUpTexts: textLookup(config.dnsServers),
  });
  const drops = new BucketDrops(buckets, new EmptyingStore(infra.region));
  const lifecycleStore = new LifecycleStore(infra.region);
  const cooling = new Cooling(lifecycleStore, requestMove);
  const lifecycle = new Lifecycle({
    settings: store,
    store: lifecycleStore,
    changeClass: (change) => cooling.changeClass(change),
    region: config.region,
    everySeconds: config.lifecycleEvery / 1000,
  });
  const styles = new StyleStore(infra.region);
  const routes = [
    ...bucketRoutes({
      buckets,
      authenticate,
      keyring,
      regionHosts: new RegionHosts(config),
      region: config.region,
      stylesOf: (bucketId) => readStyles(styles, bucketId),
    }),
    ...bucketSettingsRoutes({
      buckets,
      store,
      domains,
      lifecycle: new LifecycleSettings(store),
      authenticate,
    }),
    ...dropRoutes(drops, authenticate),
    ...usageRoutes(usage, buckets, authenticate),
  ];
  return { buckets, domains, drops, lifecycle, requests, usage, routes };
}
