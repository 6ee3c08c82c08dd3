/** Builds the features on the engines, from the lowest floor up, and gathers their routes. */
import { type Dialect, dialects } from '@millpond/protocol';
import type { Config } from './config/config.ts';
import {
  AccountStore,
  Accounts,
  Audit,
  accountRoutes,
  authenticators,
  Keyring,
  KeyStore,
  Keys,
  Login,
  Passwords,
  TokenStore,
  Tokens,
  tokenRoutes,
  WebhookSecretStore,
  WebhookSecrets,
} from './features/accounts/index.ts';
import {
  BucketSettingsStore,
  BucketStore,
  Buckets,
  bucketRoutes,
  bucketSettingsRoutes,
  Domains,
  LifecycleSettings,
  RegionHosts,
} from './features/buckets/index.ts';
import { Callbacks, DeliveryStore } from './features/deliveries/index.ts';
import { Downloads, downloadRoutes } from './features/downloads/index.ts';
import { Lifecycle, LifecycleStore } from './features/lifecycle/index.ts';
import {
  BucketDrops,
  ClosedAccounts,
  Collector,
  dropRoutes,
  EmptyingStore,
  Expiry,
  ExpiryStore,
  ListStore,
  Lists,
  Merger,
  MergeStore,
  ObjectStore,
  Objects,
  objectRoutes,
  TrashStore,
} from './features/objects/index.ts';
import { createUploads, type Uploads, uploadRoutes } from './features/uploads/index.ts';
import { RequestCounter, Usage, UsageStore, usageRoutes } from './features/usage/index.ts';
import type { Infra } from './infra.ts';
import { textLookup } from './platform/dns.ts';
import type { Queue } from './platform/queue/queue.ts';
import type { Route } from './platform/web/index.ts';

export interface Services {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly buckets: Buckets;
  readonly domains: Domains;
  readonly drops: BucketDrops;
  readonly lifecycle: Lifecycle;
  readonly requests: RequestCounter;
  readonly usage: Usage;
  readonly collector: Collector;
  readonly closedAccounts: ClosedAccounts;
  readonly deliveries: DeliveryStore;
  readonly expiry: Expiry;
  readonly merger: Merger;
  readonly uploads: Uploads;
  readonly routes: readonly Route[];
}

/** Segments that are to become one engine object. */
export const MERGE_QUEUE = 'blob-merge';

/** An operator's commands have no queue: they commit nothing that needs one. */
export function makeServices(infra: Infra, config: Config, queue?: Queue): Services {
  const dialect: Dialect = dialects[config.dialect];
  const times = { freshMs: config.controlCache, staleMs: config.controlStale };

  const accountStore = new AccountStore(infra.control);
  const keyStore = new KeyStore(infra.control);
  const audit = new Audit(infra.control);
  const passwords = new Passwords();
  const keys = new Keys(keyStore, infra.sealer);
  const tokenStore = new TokenStore(infra.control);
  const secrets = new WebhookSecrets(new WebhookSecretStore(infra.control), infra.sealer, times);
  const accounts = new Accounts({
    control: infra.control,
    store: accountStore,
    keys,
    tokens: tokenStore,
    passwords,
    audit,
    webhookSecrets: secrets,
  });
  const keyring = new Keyring(keyStore, infra.sealer, times);
  const tokens = new Tokens(tokenStore, {
    accessSeconds: Math.round(config.accessTokenLife / 1000),
    rotation: config.refreshTokens,
    derivationKeys: infra.sealer.deriveKeys('refresh tokens'),
    ...times,
  });
  const login = new Login({ store: accountStore, tokens, passwords, audit }, config);
  const authenticate = authenticators({ keyring, tokens, dialect, plainHttp: config.plainHttp });

  const usageStore = new UsageStore(infra.region);
  const requests = new RequestCounter(usageStore, infra.log);
  const bucketStore = new BucketStore(infra.control, infra.region);
  const buckets = new Buckets(bucketStore, {
    region: config.region,
    maxBuckets: config.maxBuckets,
    onCall: (bucket) => requests.count(bucket, 'calls'),
    ...times,
  });
  const usage = new Usage(usageStore, buckets);
  const settingsStore = new BucketSettingsStore(infra.control);
  const domains = new Domains({
    store: settingsStore,
    buckets,
    own: { hosts: config.hosts.map(({ host }) => host), downloadSuffix: config.downloadSuffix },
    proof: config.domainProof,
    proofKeys: infra.sealer.deriveKeys('domains'),
    lookUpTexts: textLookup(config.dnsServers),
  });

  const objectStore = new ObjectStore(infra.region);
  const objects = new Objects(objectStore, buckets, {
    commitWindowMs: config.commitWindow,
    dialect,
    requestMerge: queue && (({ client }, blobId) => queue.enqueue(client, MERGE_QUEUE, { blobId })),
  });
  const merger = new Merger({
    store: new MergeStore(infra.region),
    objects: objectStore,
    blobs: infra.blobs,
    commitWindowMs: config.commitWindow,
  });
  const emptying = new EmptyingStore(infra.region);
  const drops = new BucketDrops(buckets, emptying);
  const lifecycleStore = new LifecycleStore(infra.region);
  const lifecycle = new Lifecycle({
    settings: settingsStore,
    store: lifecycleStore,
    changeClass: (change) => lifecycleStore.changeClass(change),
    region: config.region,
    everySeconds: config.lifecycleEvery / 1000,
  });
  const lists = new Lists(new ListStore(infra.region), dialect);
  const expiry = new Expiry(new ExpiryStore(infra.region));
  const collector = new Collector(new TrashStore(infra.region), infra.blobs, {
    trashGraceMs: config.trashGrace,
    sweepAgeMs: config.sweepAge,
  });

  const deliveries = new DeliveryStore(infra.region);
  const callbacks = new Callbacks({
    store: deliveries,
    outbound: infra.outbound,
    secrets,
    dialect,
    signedBody: config.callbackSignedBody,
    log: infra.log,
  });

  const signedRoutes = [
    ...accountRoutes({
      accounts,
      authenticate: authenticate.accountCall,
      plainHttp: config.plainHttp,
      rate: config.accountCallsPerAccount,
    }),
    ...tokenRoutes(login, {
      plainHttp: config.plainHttp,
      grants: config.grants,
      clients: config.oauthClients,
    }),
    ...bucketRoutes({
      buckets,
      authenticate: authenticate.call,
      keyring,
      regionHosts: new RegionHosts(config),
      region: config.region,
      mirrorOf: async () => ({ source: '', host: '' }),
    }),
    ...bucketSettingsRoutes({
      buckets,
      store: settingsStore,
      domains,
      lifecycle: new LifecycleSettings(settingsStore),
      authenticate: authenticate.call,
    }),
    ...dropRoutes(drops, authenticate.call),
    ...usageRoutes(usage, buckets, authenticate.call),
    ...objectRoutes({ objects, lists, buckets, authenticate: authenticate.call }),
  ];
  const ownPaths = new Set(signedRoutes.map((route) => route.path.split('/')[1] ?? ''));
  const look = async () => ({});
  const parts = {
    region: infra.region,
    keyring,
    buckets,
    objects,
    blobs: infra.blobs,
    callbacks,
    deliveries,
    look,
    dialect,
    ownPaths,
  };
  const uploads = createUploads(parts, config);
  infra.metrics.gauge(
    'millpond_waiting_file_bytes',
    'Memory held by files that came before their token',
    () => uploads.forms.waitingBytes,
  );
  const downloads = new Downloads({
    keyring,
    objects,
    blobs: infra.blobs,
    dialect,
    sendBytes: config.sendBytes,
    onDownload: (bucket) => requests.count(bucket, 'downloads'),
  });

  return {
    accounts,
    tokens,
    buckets,
    domains,
    drops,
    lifecycle,
    requests,
    usage,
    collector,
    closedAccounts: new ClosedAccounts({ accounts, buckets, store: emptying }),
    deliveries,
    expiry,
    merger,
    uploads,
    routes: [...signedRoutes, ...uploadRoutes(uploads), ...downloadRoutes(downloads, buckets)],
  };
}
