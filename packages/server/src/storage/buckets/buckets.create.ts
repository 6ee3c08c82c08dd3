/** Builds the buckets feature: the service itself, the settings owners make, and how SDKs find the region's hosts. */
import type { Dialect } from '@millpond/protocol';
import type { Authenticate, Keyring } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { S3SettingsStore } from './bucket-s3-settings.store.ts';
import { sdkRoutes } from './bucket-sdk.routes.ts';
import { bucketSettingsRoutes } from './bucket-settings.routes.ts';
import { BucketSettingsStore } from './bucket-settings.store.ts';
import { type BucketRouteDeps, bucketRoutes } from './buckets.routes.ts';
import { type Bucket, Buckets } from './buckets.service.ts';
import { BucketStore } from './buckets.store.ts';
import { Domains, textLookup } from './domains.ts';
import { LifecycleSettings } from './lifecycle-settings.ts';
import { type RegionHostOptions, RegionHosts } from './regions/region-hosts.ts';
import { RegionsStore } from './regions/regions.store.ts';
import { Regions } from './regions/regions.ts';
import { S3Settings } from './s3-settings.ts';

export interface BucketDeps {
  readonly control: Database;
  readonly region: Database;
  readonly sealer: Sealer;
  readonly keyring: Keyring;
  readonly authenticate: Authenticate;
  /** Where an account's new buckets go; undefined: here. */
  readonly defaultRegion: (uid: bigint) => Promise<string | undefined>;
  readonly stylesOf: BucketRouteDeps['stylesOf'];
  readonly dialect: Dialect;
  /** Called for every call that an owner makes on a bucket. */
  readonly onCall: (bucket: Bucket) => void;
}

/** Settings by name. */
export interface BucketSettings extends RegionHostOptions {
  readonly maxBuckets: number;
  readonly controlCache: number;
  readonly controlStale: number;
  readonly openCors: boolean;
  readonly downloadSuffix: string | undefined;
  readonly domainProof: 'dns' | 'none';
  readonly dnsServers: readonly string[];
}

export interface BucketsFeature extends Feature {
  readonly buckets: Buckets;
  readonly domains: Domains;
  /** What S3 reads and sets on a bucket. */
  readonly s3Settings: S3Settings;
  /** Buckets that have lifecycle rules, for the feature that applies them. */
  readonly ruledBuckets: BucketSettingsStore['ruledBuckets'];
  readonly regions: Regions;
  readonly regionHosts: RegionHosts;
}

export function createBuckets(deps: BucketDeps, settings: BucketSettings): BucketsFeature {
  const { control, region, sealer, keyring, authenticate, stylesOf, onCall } = deps;
  const times = { freshMs: settings.controlCache, staleMs: settings.controlStale };
  const regions = new Regions(new RegionsStore(control), { ...settings, ...times });
  const buckets = new Buckets(new BucketStore(control, region), regions, {
    maxBuckets: settings.maxBuckets,
    ...times,
    ...(!settings.openCors && { corsDefault: [] }),
    onCall,
  });
  const store = new BucketSettingsStore(control);
  const domains = new Domains({
    store,
    buckets,
    own: { hosts: settings.hosts.map(({ host }) => host), downloadSuffix: settings.downloadSuffix },
    proof: settings.domainProof,
    proofKeys: sealer.deriveKeys('domains'),
    lookUpTexts: textLookup(settings.dnsServers),
  });
  const regionHosts = new RegionHosts(settings);
  const asked = { buckets, authenticate, keyring, regions, regionHosts, stylesOf };
  const s3Store = new S3SettingsStore(control);
  const lifecycle = new LifecycleSettings(buckets, store, s3Store);
  return {
    buckets,
    domains,
    regions,
    regionHosts,
    s3Settings: new S3Settings(buckets, store, s3Store),
    ruledBuckets: (...page) => store.ruledBuckets(...page),
    routes: [
      ...bucketRoutes({
        ...asked,
        defaultRegion: async (uid) => (await deps.defaultRegion(uid)) ?? settings.region,
      }),
      ...bucketSettingsRoutes({ buckets, store, domains, lifecycle, authenticate, dialect: deps.dialect }),
      ...(deps.dialect.callsOfSdks ? sdkRoutes(asked) : []),
    ],
    jobs: [],
    metrics: [],
  };
}
