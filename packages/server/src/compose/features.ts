/** Builds the features on the engines, from the lowest layer up, and gathers what each one hands to the process. */
import { calls, decodePercent, dialects, openApiDocument } from '@millpond/protocol';
import { type Config, mediaHostOf } from '../config/config.ts';
import { createDeliveries, type DeliveriesFeature } from '../events/deliveries/index.ts';
import { createS3 } from '../faces/s3/index.ts';
import { HostDirectory } from '../http/hosts.ts';
import { type AccountsFeature, createAccounts } from '../identity/accounts/index.ts';
import type { Infra } from '../infra/infra.ts';
import { createDevices, type DevicesFeature } from '../live/devices/index.ts';
import { createLive, type LiveFeature } from '../live/streams/index.ts';
import { createImages, type ImagesFeature } from '../media/images/index.ts';
import { createProcessing, type LocateObject, type ProcessingFeature } from '../media/processing/index.ts';
import { createMetricValues, type FiguresFeature } from '../operations/figures/index.ts';
import { createOverview, type OverviewFeature } from '../operations/overview/index.ts';
import { createRequests, type RequestsFeature } from '../operations/requests/index.ts';
import type { Feature } from '../platform/feature.ts';
import type { Queue } from '../platform/queue/queue.ts';
import { jsonResponse, type Route } from '../platform/web/index.ts';
import { type BucketsFeature, createBuckets, type RegionHosts } from '../storage/buckets/index.ts';
import { createLifecycle } from '../storage/lifecycle/index.ts';
import { createObjectEvents, type ObjectEventsFeature } from '../storage/object-events/index.ts';
import { createObjects, type ObjectsFeature } from '../storage/objects/index.ts';
import { createUsage, type UsageFeature } from '../storage/usage/index.ts';
import { createBulk } from '../transfer/bulk/index.ts';
import { createDownloads } from '../transfer/downloads/index.ts';
import { createFetches } from '../transfer/fetches/index.ts';
import { createSigning } from '../transfer/signing/index.ts';
import { createUploads } from '../transfer/uploads/index.ts';
import { VERSION } from './version.ts';

/** All features together, and those that a process starts, stops or calls by name. */
export interface Features extends Feature {
  readonly accounts: AccountsFeature;
  readonly buckets: BucketsFeature;
  readonly deliveries: DeliveriesFeature;
  readonly devices: DevicesFeature;
  readonly figures: FiguresFeature;
  readonly live: LiveFeature;
  readonly objectEvents: ObjectEventsFeature;
  readonly objects: ObjectsFeature;
  readonly overview: OverviewFeature;
  readonly processing: ProcessingFeature;
  readonly requests: RequestsFeature;
  readonly usage: UsageFeature;
}

/** The operator commands have no queue: they commit nothing that needs one. */
export function createFeatures(infra: Infra, config: Config, queue?: Queue): Features {
  const dialect = dialects[config.dialect];
  const engines = { ...infra, dialect, queue, media: () => infra.media.engine() };

  const accounts = createAccounts(engines, config);
  const { authenticate, keyring, explain, signingKeys, states, tenants } = accounts;

  const buckets = createBuckets(
    {
      ...engines,
      authenticate,
      keyring,
      defaultRegion: (uid) => accounts.accounts.defaultRegion(uid),
      stylesOf: (bucketId): ReturnType<ImagesFeature['stylesOf']> => images.stylesOf(bucketId),
      onCall: (bucket): void => usage.requests.count(bucket, 'calls'),
    },
    config,
  );
  const deliveries = createDeliveries({ ...engines, ...accounts }, config);
  const { callbacks, callbackRecords } = deliveries;
  const floor = { ...engines, authenticate, keyring, tenants, explain, buckets: buckets.buckets };

  const usage = createUsage({ ...floor, accounts: accounts.accounts }, config);
  const figures = createMetricValues(engines);
  const objectEvents = createObjectEvents({ ...floor, deliveries: deliveries.deliveries }, config);
  const objects = createObjects({ ...floor, accounts: accounts.accounts }, config);
  const lifecycle = createLifecycle(
    { ...floor, ruledBuckets: buckets.ruledBuckets, requestMove: objects.requestMove },
    config,
  );
  const stored = { ...floor, objects: objects.objects, deliveries: deliveries.deliveries };

  const processing = createProcessing(
    { ...stored, copies: objects.copies, locate: objectLocator(config) },
    config,
  );
  const { uploadTriggers, objectSources, results } = processing;

  const bulk = createBulk({ ...floor, ...processing, pages: objects.pages });
  const requests = createRequests(
    {
      ...engines,
      authenticate,
      accounts: accounts.accounts,
      deliveries: deliveries.deliveries,
      tasks: processing.tasks,
    },
    config,
  );
  const downloadsAt = (asked: { readonly host: string; readonly secure: boolean }) =>
    `${asked.secure ? 'https' : 'http'}://${buckets.regionHosts.of('io', asked)[0] ?? asked.host}`;
  const signing = createSigning({ ...floor, domains: buckets.domains, downloadsAt }, config);

  const images = createImages({ ...floor, sources: objectSources }, config);
  const live = createLive(
    {
      ...stored,
      results,
      keys: signingKeys,
      accounts: states,
      downloadsAt,
    },
    config,
  );
  const devices = createDevices(
    { ...floor, ...live, accounts: states, mediaHost: mediaHostOf(config) },
    config,
  );
  const fetches = createFetches(
    {
      ...stored,
      callbacks,
      deliveries: callbackRecords,
      isOwnPath: (url) => dialect.oldSigning && ownPaths.has(new URL(url).pathname.split('/')[1] ?? ''),
      async onCommit({ bucket, key }, reqid) {
        return (await uploadTriggers.prepare({ bucket, key, accessKey: undefined, reqid })).onCommit;
      },
    },
    { ...config, plainHttp: config.plainHttp || dialect.processingOverHttp },
  );
  const signed = [
    accounts,
    buckets,
    deliveries,
    usage,
    figures,
    objectEvents,
    objects,
    lifecycle,
    signing,
    processing,
    bulk,
    requests,
    images,
    live,
    devices,
    fetches,
  ];
  const ownPaths = new Set(
    signed.flatMap(({ routes }) => routes.map(({ path }) => path.split('/')[1] ?? '')),
  );

  const uploads = createUploads(
    { ...stored, callbacks, deliveries: callbackRecords, uploadTriggers, ownPaths },
    config,
  );
  const downloads = createDownloads(
    {
      ...stored,
      mirror: fetches.mirror,
      images: images.images,
      rootAt: (bucket, host) => objectSources.rootAt(bucket, host),
      onDownload: (bucket) => usage.requests.count(bucket, 'downloads'),
    },
    config,
  );
  const s3 = createS3(
    {
      ...stored,
      s3Objects: objects.s3,
      accounts: accounts.accounts,
      uploadTriggers,
      uploads: uploads.s3,
      mirror: fetches.mirror,
      bucketSettings: buckets.s3Settings,
      dropBucket: objects.dropBucket,
      objectEvents: objectEvents.objectEvents,
      readiness: infra.readiness,
      onRequest: (bucket, kind) => usage.requests.count(bucket, kind),
    },
    config,
  );
  const overview = createOverview(
    { ...floor, coldWatch: infra.coldWatch, usage, figures, objects, deliveries, processing, live },
    config,
  );
  const all: readonly Feature[] = [...signed, uploads, downloads, s3, overview];
  const declared = all.flatMap((feature) => feature.routes);
  const routes = dialect.callsOfSdks ? declared.map(withSdkRoleAliases) : declared;
  return {
    accounts,
    buckets,
    deliveries,
    devices,
    figures,
    live,
    objectEvents,
    objects,
    processing,
    overview,
    requests,
    usage,
    routes: [...routes, apiDocumentRoute(buckets.regionHosts, routes)],
    jobs: all.flatMap((feature) => feature.jobs),
    metrics: all.flatMap((feature) => feature.metrics),
  };
}

/**
 * Which object a URL on one of our own hosts names: by path under the download hosts and our own listeners, by name under the
 * download suffix.
 */
function objectLocator(config: Config): LocateObject {
  const hosts = new HostDirectory(config.hosts, config.downloadSuffix);
  const listeners = new Set(config.listen.map(({ address, port }) => `${address}:${port}`));
  return ({ host, pathname }) => {
    const meaning = hosts.resolve(host);
    const key = decodePercent(pathname.slice(1));
    if (key === undefined) return undefined;
    if (meaning.kind === 'bucket') return { bucket: meaning.bucket, key };
    const isOurs = meaning.kind === 'roles' ? meaning.roles.has('io') : listeners.has(host);
    const slash = key.indexOf('/');
    return isOurs && slash > 0 ? { bucket: key.slice(0, slash), key: key.slice(slash + 1) } : undefined;
  };
}

/** Calls that some of Qiniu's SDKs make at the host of another role than documented, for its dialect. */
const ALSO_AT: ReadonlyMap<string, readonly string[]> = new Map([
  // Ruby
  ['/buckets', ['rs']],
  // PHP
  ['/setbucketquota/*', ['api']],
  ['/getbucketquota/*', ['api']],
]);

function withSdkRoleAliases(route: Route): Route {
  const alsoAt = route.role === 'uc' ? ALSO_AT.get(route.path) : undefined;
  return alsoAt === undefined ? route : { ...route, alsoAt };
}

/** Describes every call that this server answers, as OpenAPI, with the hosts that the caller would use. */
function apiDocumentRoute(hosts: RegionHosts, routes: readonly Route[]): Route {
  const served = new Set(['api /v1/openapi.json', ...routes.map(({ role, path }) => `${role} ${path}`)]);
  const described = calls.filter(({ role, route }) => served.has(`${role} ${route}`));
  const roles = [...new Set(described.map(({ role }) => role))];
  return {
    role: 'api',
    methods: ['GET'],
    path: '/v1/openapi.json',
    cors: true,
    handle(context) {
      const scheme = context.peer.secure ? 'https' : 'http';
      const asked = { host: context.host, secure: context.peer.secure };
      const servers = roles.flatMap((role) =>
        hosts.of(role, asked).map((host) => ({ role, url: `${scheme}://${host}` })),
      );
      return jsonResponse(openApiDocument(described, VERSION, servers));
    },
  };
}
