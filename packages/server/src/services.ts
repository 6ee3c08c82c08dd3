/** Builds the features on the engines, from the lowest floor up, and gathers their routes. */
import { type Dialect, dialects } from '@millpond/protocol';
import { apiDocumentRoute } from './api-document.ts';
import { type BucketServices, makeBucketServices } from './bucket-services.ts';
import type { Config } from './config/config.ts';
import { type DeviceServices, makeDevices } from './devices.ts';
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
  SigningKeys,
  TokenStore,
  Tokens,
  tokenRoutes,
  WebhookSecretStore,
  WebhookSecrets,
} from './features/accounts/index.ts';
import { RegionHosts } from './features/buckets/index.ts';
import {
  Callbacks,
  Deliveries,
  DeliveryStore,
  deliveryRoutes,
  EndpointStore,
  QueueStore,
  RecordStore,
  Sender,
  SettleStore,
} from './features/deliveries/index.ts';
import { Downloads, downloadRoutes } from './features/downloads/index.ts';
import { type AsyncFetches, createFetching, fetchRoutes } from './features/fetches/index.ts';
import { createLive, type Live } from './features/live/index.ts';
import {
  ArchiveStore,
  archiveOperations,
  ChangesStore,
  ClassMover,
  ClassMoveStore,
  ClosedAccounts,
  Collector,
  changeOperations,
  EmptyingStore,
  Expiry,
  ExpiryStore,
  ListStore,
  Lists,
  listRoutes,
  ManyObjects,
  ManyStore,
  Merger,
  MergeStore,
  MetadataStore,
  metadataOperations,
  ObjectStore,
  Objects,
  objectOperations,
  operationRoutes,
  RelocateStore,
  type RequestMerge,
  relocateOperations,
  TransitionStore,
  Transitions,
  TrashStore,
  Undelete,
  UndeleteStore,
} from './features/objects/index.ts';
import { createPictures, type PicturesOfServer } from './features/pictures/index.ts';
import { createUploads, lookInside, type Uploads, uploadRoutes } from './features/uploads/index.ts';
import type { Infra } from './infra.ts';
import type { BlobId } from './platform/blobs/index.ts';
import type { Transaction } from './platform/db/database.ts';
import type { Queue } from './platform/queue/queue.ts';
import type { Route } from './platform/web/index.ts';
import { makeProcessing, type Processing } from './processing.ts';

export interface Services extends BucketServices {
  readonly accounts: Accounts;
  readonly asyncFetches: AsyncFetches;
  readonly tokens: Tokens;
  readonly classMover: ClassMover;
  readonly collector: Collector;
  readonly closedAccounts: ClosedAccounts;
  readonly deliveries: Deliveries;
  readonly deliveryStore: DeliveryStore;
  readonly devices: DeviceServices;
  readonly sender: Sender;
  readonly expiry: Expiry;
  readonly live: Live;
  readonly merger: Merger;
  readonly pictures: PicturesOfServer;
  readonly processing: Processing;
  readonly transitions: Transitions;
  readonly undelete: Undelete;
  readonly uploads: Uploads;
  readonly routes: readonly Route[];
}

/** Segments that are to become one engine object. */
export const MERGE_QUEUE = 'blob-merge';
/** Files that are to be fetched in the background. */
export const FETCH_QUEUE = 'fetch';
/** Bytes that are to be moved into the tier of their object's class. */
export const CLASS_MOVE_QUEUE = 'class-move';

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

  const requestMove =
    queue &&
    (({ client }: Transaction, blobId: BlobId, uid?: bigint) =>
      queue.enqueue(client, CLASS_MOVE_QUEUE, { blobId }, { account: uid === undefined ? '' : String(uid) }));
  const { routes: ownBucketRoutes, ...bucketServices } = makeBucketServices(infra, config, {
    keyring,
    authenticate: authenticate.call,
    requestMove,
  });
  const { buckets, requests } = bucketServices;

  const objectStore = new ObjectStore(infra.region);
  const requestMerge: RequestMerge | undefined =
    queue && (({ client }, blobId) => queue.enqueue(client, MERGE_QUEUE, { blobId }));
  const objects = new Objects(objectStore, buckets, {
    commitWindowMs: config.commitWindow,
    dialect,
    requestMerge,
    requestMove,
  });
  const mergeStore = new MergeStore(infra.region);
  const rewriting = { objects: objectStore, blobs: infra.blobs, commitWindowMs: config.commitWindow };
  const merger = new Merger({ store: mergeStore, ...rewriting });
  const classMover = new ClassMover({
    store: new ClassMoveStore(infra.region),
    swaps: mergeStore,
    ...rewriting,
  });
  const lists = new Lists(new ListStore(infra.region), dialect);
  const operations = [
    ...objectOperations(objects, new ManyObjects({ store: new ManyStore(infra.region), buckets, dialect })),
    ...relocateOperations({
      store: new RelocateStore(infra.region),
      objects: objectStore,
      buckets,
      requestMerge,
    }),
    ...changeOperations(new ChangesStore(infra.region), buckets),
    ...metadataOperations({ store: new MetadataStore(infra.region), buckets, dialect }),
    ...archiveOperations({
      store: new ArchiveStore(infra.region),
      buckets,
      options: {
        archiveMs: config.restoreArchive,
        deepArchiveMs: config.restoreDeepArchive,
        timeFactor: config.timeFactor,
      },
      requestMove,
    }),
  ];
  const expiry = new Expiry(new ExpiryStore(infra.region));
  const collector = new Collector(new TrashStore(infra.region), infra.blobs, {
    trashGraceMs: config.trashGrace,
    sweepAgeMs: config.sweepAge,
  });

  const deliveryStore = new DeliveryStore(infra.region);
  const callbacks = new Callbacks({
    store: deliveryStore,
    outbound: infra.outbound,
    secrets,
    dialect,
    signedBody: config.callbackSignedBody,
    log: infra.log,
  });
  const endpoints = new EndpointStore(infra.region);
  const deliveries = new Deliveries({
    store: deliveryStore,
    records: new RecordStore(infra.region),
    endpoints,
    outbound: infra.outbound,
    onAdded: () => sender.wake(),
  });
  const signingKeys = new SigningKeys(keyStore, infra.sealer, times);
  const sender = new Sender(
    {
      queue: new QueueStore(infra.sending),
      settle: new SettleStore(infra.sending),
      endpoints: new EndpointStore(infra.sending),
      tries: {
        outbound: infra.eventOutbound,
        secrets,
        keys: signingKeys,
        dialect,
        signedBody: config.callbackSignedBody,
      },
      log: infra.log,
    },
    {
      slots: config.deliverySlots,
      perEndpoint: config.deliveriesPerEndpoint,
      memoryBytes: config.deliveryMemory,
      timeFactor: config.timeFactor,
    },
  );

  const processing = makeProcessing(infra, config, {
    buckets,
    objects,
    deliveries,
    authenticate: authenticate.call,
    dialect,
    queue,
  });
  const pictures = createPictures(
    {
      region: infra.region,
      blobs: infra.blobs,
      log: infra.log,
      buckets,
      sources: processing.objectSources,
      authenticate: authenticate.call,
      engine: () => infra.media.engine(),
    },
    config,
  );
  const regionHosts = new RegionHosts(config);
  const live = createLive(
    {
      ...{ region: infra.region, log: infra.log, outbound: infra.outbound, sealer: infra.sealer },
      ...{ buckets, objects, deliveries, keys: signingKeys, authenticate: authenticate.call },
      results: processing.results,
      media: () => infra.media.engine(),
      downloadsAt: (asked) =>
        `${asked.secure ? 'https' : 'http'}://${regionHosts.of('io', asked)[0] ?? asked.host}`,
    },
    config,
  );
  const devices = makeDevices(infra, config, live, authenticate.call);
  const ownPaths = new Set<string>();
  const fetching = createFetching(
    {
      region: infra.region,
      outbound: infra.outbound,
      blobs: infra.blobs,
      buckets,
      objects,
      keyring,
      callbacks,
      deliveries: deliveryStore,
      isOwnPath: (url) => dialect.oldSigning && ownPaths.has(new URL(url).pathname.split('/')[1] ?? ''),
      requestFetch:
        queue &&
        (({ client }, { fetch_id: fetchId, uid }, afterSeconds) => {
          const account = String(uid);
          return afterSeconds === 0
            ? queue.enqueue(client, FETCH_QUEUE, { fetchId }, { account })
            : queue.enqueueLater(client, FETCH_QUEUE, { fetchId }, afterSeconds, { account });
        }),
      async also({ bucket, key }, reqid) {
        const arrival = { bucket, key, accessKey: undefined, reqid };
        return (await processing.arrivals.prepare(arrival)).also;
      },
    },
    config,
  );

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
    ...ownBucketRoutes,
    ...operationRoutes({
      operations,
      authenticate: authenticate.call,
      onFailure: (reqid, err) => infra.log.error({ reqid, err }, 'operation of a batch failed'),
    }),
    ...listRoutes({ lists, buckets, authenticate: authenticate.call }),
    ...fetchRoutes({
      ...fetching,
      buckets,
      outbound: infra.outbound,
      authenticate: authenticate.call,
      plainHttp: config.plainHttp || dialect.processingOverHttp,
    }),
    ...processing.routes,
    ...pictures.routes,
    ...live.routes,
    ...devices.routes,
    ...deliveryRoutes({ deliveries, authenticate: authenticate.call, plainHttp: config.plainHttp }),
  ];
  for (const { path } of signedRoutes) ownPaths.add(path.split('/')[1] ?? '');
  const parts = {
    region: infra.region,
    keyring,
    buckets,
    objects,
    blobs: infra.blobs,
    callbacks,
    deliveries: deliveryStore,
    arrivals: processing.arrivals,
    look: lookInside(infra.inspection, infra.blobs),
    dialect,
    ownPaths,
  };
  const uploads = createUploads(parts, config);
  infra.metrics.gauge(
    'millpond_waiting_file_bytes',
    'Memory held by files that came before their token',
    () => uploads.forms.waitingBytes,
  );
  const countPictures = (name: keyof PicturesOfServer['counts'], metric: string, help: string) =>
    infra.metrics.gauge(`millpond_pictures_${metric}`, help, () => pictures.counts[name]);
  countPictures('made', 'made', 'Pictures by URL that this process made');
  countPictures('fromCache', 'from_cache', 'Pictures by URL that needed not be made');
  countPictures('underWay', 'under_way', 'Pictures by URL that are being made or wait for it');
  const downloads = new Downloads({
    keyring,
    objects,
    blobs: infra.blobs,
    mirror: fetching.mirror,
    pictures: pictures.pictures,
    dialect,
    sendBytes: config.sendBytes,
    onDownload: (bucket) => requests.count(bucket, 'downloads'),
  });

  const routes = [...signedRoutes, ...uploadRoutes(uploads), ...downloadRoutes(downloads, buckets)];
  return {
    accounts,
    asyncFetches: fetching.asyncFetches,
    tokens,
    ...bucketServices,
    classMover,
    collector,
    closedAccounts: new ClosedAccounts({ accounts, buckets, store: new EmptyingStore(infra.region) }),
    deliveries,
    deliveryStore,
    devices,
    sender,
    expiry,
    live,
    merger,
    pictures,
    processing,
    transitions: new Transitions(new TransitionStore(infra.region)),
    undelete: new Undelete({
      store: new UndeleteStore(infra.region),
      buckets,
      graceMs: config.trashGrace,
    }),
    uploads,
    routes: [...routes, apiDocumentRoute(config, routes)],
  };
}
