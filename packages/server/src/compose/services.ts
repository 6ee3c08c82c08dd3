/** Builds the features on the engines, from the lowest floor up, and gathers their routes. */
import { type Dialect, dialects } from '@millpond/protocol';
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import { RegionHosts } from '../features/buckets/index.ts';
import { Downloads, downloadRoutes, PrivatePlaylists } from '../features/downloads/index.ts';
import { type AsyncFetches, createFetching, fetchRoutes } from '../features/fetches/index.ts';
import { createLive, type Live } from '../features/live/index.ts';
import { createPictures, type PicturesOfServer } from '../features/pictures/index.ts';
import { createUploads, lookInside, type Uploads, uploadRoutes } from '../features/uploads/index.ts';
import type { Queue } from '../platform/queue/queue.ts';
import type { Route } from '../platform/web/index.ts';
import { type AccountServices, makeAccountServices } from './account-services.ts';
import { apiDocumentRoute } from './api-document.ts';
import { type BucketServices, makeBucketServices } from './bucket-services.ts';
import { type DeliveryServices, makeDeliveryServices } from './delivery-services.ts';
import { type DeviceServices, makeDevices } from './device-services.ts';
import { makeObjectServices, type ObjectServices } from './object-services.ts';
import { makeProcessing, type Processing } from './processing-services.ts';
import { makeQueueRequests } from './queue-requests.ts';

export interface Services extends AccountServices, BucketServices, DeliveryServices, ObjectServices {
  readonly asyncFetches: AsyncFetches;
  readonly devices: DeviceServices;
  readonly live: Live;
  readonly pictures: PicturesOfServer;
  readonly processing: Processing;
  readonly uploads: Uploads;
  readonly routes: readonly Route[];
}

/** An operator's commands have no queue: they commit nothing that needs one. */
export function makeServices(infra: Infra, config: Config, queue?: Queue): Services {
  const { region, blobs, outbound, log, metrics, sealer } = infra;
  const dialect: Dialect = dialects[config.dialect];
  const requests = makeQueueRequests(queue);
  const whoGetsIn = makeAccountServices(infra, config, dialect);
  const { accounts, tokens, explain, keyring, signingKeys, states } = whoGetsIn;
  const authenticate = whoGetsIn.authenticate.call;
  const { routes: ownBucketRoutes, ...bucketServices } = makeBucketServices(infra, config, {
    keyring,
    authenticate,
    requestMove: requests.move,
  });
  const { buckets } = bucketServices;
  const ofObjects = makeObjectServices(infra, config, { accounts, authenticate, buckets, dialect, requests });
  const { objects } = ofObjects;
  const telling = makeDeliveryServices(infra, config, { ...whoGetsIn, authenticate, dialect });
  const {
    callbacks,
    services: { deliveries, deliveryStore },
  } = telling;
  const processing = makeProcessing(infra, config, {
    buckets,
    objects,
    deliveries,
    authenticate,
    dialect,
    queue,
  });
  const pictures = createPictures(
    {
      ...{ region, blobs, log, buckets, authenticate },
      sources: processing.objectSources,
      engine: () => infra.media.engine(),
    },
    config,
  );
  const regionHosts = new RegionHosts(config);
  const live = createLive(
    {
      ...{ region, log, outbound, sealer, buckets, objects, deliveries, authenticate },
      keys: signingKeys,
      accounts: states,
      results: processing.results,
      media: () => infra.media.engine(),
      downloadsAt: (asked) =>
        `${asked.secure ? 'https' : 'http'}://${regionHosts.of('io', asked)[0] ?? asked.host}`,
    },
    config,
  );
  const devices = makeDevices(infra, config, live, { authenticate, accounts: states });
  const ownPaths = new Set<string>();
  const fetching = createFetching(
    {
      ...{ region, outbound, blobs, buckets, objects, keyring, callbacks },
      deliveries: deliveryStore,
      isOwnPath: (url) => dialect.oldSigning && ownPaths.has(new URL(url).pathname.split('/')[1] ?? ''),
      requestFetch: requests.fetch,
      async also({ bucket, key }, reqid) {
        const arrival = { bucket, key, accessKey: undefined, reqid };
        return (await processing.arrivals.prepare(arrival)).also;
      },
    },
    config,
  );
  const signedRoutes = [
    ...whoGetsIn.routes,
    ...ownBucketRoutes,
    ...ofObjects.routes,
    ...fetchRoutes({
      ...fetching,
      ...{ buckets, outbound, authenticate },
      plainHttp: config.plainHttp || dialect.processingOverHttp,
    }),
    ...processing.routes,
    ...pictures.routes,
    ...live.routes,
    ...devices.routes,
    ...telling.routes,
  ];
  for (const { path } of signedRoutes) ownPaths.add(path.split('/')[1] ?? '');
  const uploads = createUploads(
    {
      ...{ region, keyring, explain, buckets, objects, blobs, callbacks, dialect, ownPaths },
      deliveries: deliveryStore,
      arrivals: processing.arrivals,
      look: lookInside(infra.inspection, blobs),
    },
    config,
  );
  metrics.gauge(
    'millpond_waiting_file_bytes',
    'Memory held by files that came before their token',
    () => uploads.forms.waitingBytes,
  );
  measurePictures(infra, pictures);
  const downloads = new Downloads({
    ...{ keyring, explain, objects, blobs, dialect },
    mirror: fetching.mirror,
    pictures: pictures.pictures,
    playlists: new PrivatePlaylists({
      ...{ objects, blobs },
      rootAt: (bucket, host) => processing.objectSources.rootAt(bucket, host),
    }),
    sendBytes: config.sendBytes,
    onDownload: (bucket) => bucketServices.requests.count(bucket, 'downloads'),
  });
  const routes = [...signedRoutes, ...uploadRoutes(uploads), ...downloadRoutes(downloads, buckets)];
  return {
    accounts,
    tokens,
    ...bucketServices,
    ...ofObjects.services,
    ...telling.services,
    asyncFetches: fetching.asyncFetches,
    ...{ devices, live, pictures, processing, uploads },
    routes: [...routes, apiDocumentRoute(config, routes)],
  };
}

function measurePictures({ metrics }: Infra, pictures: PicturesOfServer): void {
  const gauge = (name: keyof PicturesOfServer['counts'], metric: string, help: string) =>
    metrics.gauge(`millpond_pictures_${metric}`, help, () => pictures.counts[name]);
  gauge('made', 'made', 'Pictures by URL that this process made');
  gauge('fromCache', 'from_cache', 'Pictures by URL that needed not be made');
  gauge('underWay', 'under_way', 'Pictures by URL that are being made or wait for it');
}
