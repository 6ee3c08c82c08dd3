/** Builds pictures by URL: commands on download, styles of buckets, and cached results. */
import type { BlobStore } from '../../platform/blobs/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { everySeconds, type Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { MediaEngine } from '../../platform/media/index.ts';
import { counter, gauge } from '../../platform/metrics.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { BucketStyles, Buckets } from '../buckets/index.ts';
import type { ObjectSources } from '../processing/index.ts';
import { PictureCache } from './cache.ts';
import { Eviction } from './eviction.ts';
import { Maker } from './maker.ts';
import { PictureStore } from './picture-store.ts';
import { type Made, Pictures } from './service.ts';
import { styleRoutes } from './style-routes.ts';
import { StyleStore } from './style-store.ts';
import { readStyles, Styles } from './styles.ts';

export interface PictureDeps {
  readonly region: Database;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly buckets: Buckets;
  readonly sources: ObjectSources;
  readonly authenticate: Authenticate;
  readonly media: () => Promise<MediaEngine>;
}

/** The settings, by name. */
export interface PictureSettings {
  readonly collectEvery: number;
  readonly pictureSlots: number;
  readonly pictureWaiting: number;
  readonly imageProcesses: number;
  readonly pictureTimeout: number;
  readonly pictureCache: number;
  readonly commitWindow: number;
  readonly controlCache: number;
  readonly controlStale: number;
  readonly plainHttp: boolean;
}

export interface PicturesFeature extends Feature {
  readonly pictures: Pictures;
  readonly stylesOf: (bucketId: bigint) => Promise<BucketStyles>;
}

export function createPictures(deps: PictureDeps, settings: PictureSettings): PicturesFeature {
  const { region, blobs, log, buckets, sources, authenticate, media } = deps;
  const mostBytes = settings.pictureCache;
  const styleStore = new StyleStore(region);
  const styles = new Styles({
    store: styleStore,
    buckets,
    freshMs: settings.controlCache,
    staleMs: settings.controlStale,
  });
  const store = new PictureStore(region);
  const cache = new PictureCache({ store, blobs, log, mostBytes, commitWindowMs: settings.commitWindow });
  const maker = new Maker<Made>({
    engine: media,
    slots: settings.pictureSlots,
    waiting: settings.pictureWaiting,
    processes: settings.imageProcesses,
    timeoutMs: settings.pictureTimeout,
  });
  const pictures = new Pictures({ styles, cache, maker, sources });
  const eviction = new Eviction(store, blobs, { mostBytes });
  return {
    pictures,
    stylesOf: (bucketId) => readStyles(styleStore, bucketId),
    routes: styleRoutes({ styles, authenticate, plainHttp: settings.plainHttp }),
    jobs: [
      {
        name: 'picture-evict',
        everySeconds: everySeconds(settings.collectEvery),
        says: 'kept pictures let go',
        run: async (signal) => ({ removed: await eviction.run(signal) }),
      },
    ],
    metrics: [
      counter(
        { name: 'millpond_pictures_made_total', help: 'Pictures by URL that this process made' },
        () => maker.made,
      ),
      counter(
        {
          name: 'millpond_pictures_from_cache_total',
          help: 'Pictures by URL that were kept from an earlier request',
        },
        () => pictures.fromCache,
      ),
      gauge(
        {
          name: 'millpond_pictures_under_way',
          help: 'Pictures by URL that are being made or wait for it',
        },
        () => maker.underWay,
      ),
    ],
  };
}
