/** Builds the features on the engines, from the lowest layer up, and gathers what each one hands to the process. */
import { dialects } from '@millpond/protocol';
import { type Config, mediaHostOf } from '../config/config.ts';
import { createDeliveries, type DeliveriesFeature } from '../events/deliveries/index.ts';
import { createS3 } from '../faces/s3/index.ts';
import { type AccountsFeature, createAccounts } from '../identity/accounts/index.ts';
import type { Infra } from '../infra/infra.ts';
import { createDevices, type DevicesFeature } from '../live/devices/index.ts';
import { createLive, type LiveFeature } from '../live/streams/index.ts';
import { createImages, type ImagesFeature } from '../media/images/index.ts';
import { createProcessing, type ProcessingFeature } from '../media/processing/index.ts';
import { createMetricValues, type FiguresFeature } from '../operations/figures/index.ts';
import { createOverview, type OverviewFeature } from '../operations/overview/index.ts';
import { createRequests, type RequestsFeature } from '../operations/requests/index.ts';
import type { Feature } from '../platform/feature.ts';
import type { Queue } from '../platform/queue/queue.ts';
import { type BucketsFeature, createBuckets } from '../storage/buckets/index.ts';
import { createLifecycle } from '../storage/lifecycle/index.ts';
import { createObjectEvents, type ObjectEventsFeature } from '../storage/object-events/index.ts';
import { createObjects, type ObjectsFeature } from '../storage/objects/index.ts';
import { createUsage, type UsageFeature } from '../storage/usage/index.ts';
import { createBulk } from '../transfer/bulk/index.ts';
import { createDownloads } from '../transfer/downloads/index.ts';
import { createFetches } from '../transfer/fetches/index.ts';
import { createSigning } from '../transfer/signing/index.ts';
import { createUploads } from '../transfer/uploads/index.ts';
import { apiDocumentRoute } from './api-document.ts';
import { createObjectLocator } from './locate-object.ts';
import { withSdkRoleAliases } from './sdk-role-aliases.ts';

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
    { ...stored, copies: objects.copies, locate: createObjectLocator(config) },
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
    routes: [...routes, apiDocumentRoute(config, routes)],
    jobs: all.flatMap((feature) => feature.jobs),
    metrics: all.flatMap((feature) => feature.metrics),
  };
}
