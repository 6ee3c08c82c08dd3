/** Builds images by URL: commands on download, styles of buckets, and cached results. */
import type { Log } from '@millpond/base';
import { counter, gauge } from '@millpond/base';
import type { BlobStore } from '@millpond/blobs';
import type { MediaEngine } from '@millpond/jail';
import type { Authenticate, Tenants } from '../../identity/accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { everySeconds, type Feature } from '../../platform/feature.ts';
import type { BucketStyles, Buckets } from '../../storage/buckets/index.ts';
import type { ObjectSources } from '../processing/index.ts';
import { Eviction } from './eviction.ts';
import { ImageStore } from './image.store.ts';
import { ImageCache } from './images.cache.ts';
import { Images, type RenderedImage } from './images.service.ts';
import { Renderer } from './maker.ts';
import { styleRoutes } from './style.routes.ts';
import { StyleStore } from './style.store.ts';
import { readStyles, Styles } from './styles.ts';

export interface ImageDeps {
  readonly region: Database;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly buckets: Buckets;
  readonly sources: ObjectSources;
  readonly authenticate: Authenticate;
  readonly tenants: Tenants;
  readonly media: () => Promise<MediaEngine>;
}

/** The settings, by name. */
export interface ImageSettings {
  readonly collectEvery: number;
  readonly imageSlots: number;
  readonly imageWaiting: number;
  readonly imageProcesses: number;
  readonly imageTimeout: number;
  readonly imageCache: number;
  readonly commitWindow: number;
  readonly controlCache: number;
  readonly controlStale: number;
  readonly plainHttp: boolean;
}

export interface ImagesFeature extends Feature {
  readonly images: Images;
  readonly stylesOf: (bucketId: bigint) => Promise<BucketStyles>;
}

export function createImages(deps: ImageDeps, settings: ImageSettings): ImagesFeature {
  const { region, blobs, log, buckets, sources, tenants, authenticate, media } = deps;
  const maxBytes = settings.imageCache;
  const styleStore = new StyleStore(region);
  const styles = new Styles({
    store: styleStore,
    buckets,
    freshMs: settings.controlCache,
    staleMs: settings.controlStale,
  });
  const store = new ImageStore(region);
  const cache = new ImageCache({ store, blobs, log, maxBytes, commitWindowMs: settings.commitWindow });
  const renderer = new Renderer<RenderedImage>({
    engine: media,
    slots: settings.imageSlots,
    waiting: settings.imageWaiting,
    processes: settings.imageProcesses,
    timeoutMs: settings.imageTimeout,
  });
  const images = new Images({ styles, cache, renderer, sources, tenants });
  const eviction = new Eviction(store, blobs, { maxBytes });
  return {
    images,
    stylesOf: (bucketId) => readStyles(styleStore, bucketId),
    routes: styleRoutes({ styles, authenticate, plainHttp: settings.plainHttp }),
    jobs: [
      {
        // The name in the table of jobs: under another one, servers of the previous version would run it as well.
        name: 'picture-evict',
        everySeconds: everySeconds(settings.collectEvery),
        says: 'kept images removed',
        run: async (signal) => ({ removed: await eviction.run(signal) }),
      },
    ],
    metrics: [
      counter(
        { name: 'millpond_images_made_total', help: 'Images by URL that this process made' },
        () => renderer.renderedCount,
      ),
      counter(
        {
          name: 'millpond_images_from_cache_total',
          help: 'Images by URL that were answered with a kept result',
        },
        () => images.fromCache,
      ),
      gauge(
        {
          name: 'millpond_images_under_way',
          help: 'Images by URL that are being made or waiting to be made',
        },
        () => renderer.activeCount,
      ),
    ],
  };
}
