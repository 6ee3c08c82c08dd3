/** Puts the feature together. */
import type { BlobStore } from '../../platform/blobs/index.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import type { MediaEngine } from '../../platform/media/index.ts';
import type { Route } from '../../platform/web/index.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { Buckets } from '../buckets/index.ts';
import type { ObjectSources } from '../processing/index.ts';
import { PictureCache } from './cache.ts';
import { Eviction } from './eviction.ts';
import { Maker } from './maker.ts';
import { PictureStore } from './picture-store.ts';
import { type Made, Pictures } from './service.ts';
import { styleRoutes } from './style-routes.ts';
import { StyleStore } from './style-store.ts';
import { Styles } from './styles.ts';

export interface CreateParts {
  readonly region: Database;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly buckets: Buckets;
  readonly sources: ObjectSources;
  readonly authenticate: Authenticate;
  readonly engine: () => Promise<MediaEngine>;
}

export interface PictureSettings {
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

export interface PicturesOfServer {
  readonly pictures: Pictures;
  readonly eviction: Eviction;
  readonly routes: readonly Route[];
  /** Results made and taken from those that are kept, so far; and those that somebody waits for. */
  readonly counts: { readonly made: number; readonly fromCache: number; readonly underWay: number };
}

export function createPictures(parts: CreateParts, settings: PictureSettings): PicturesOfServer {
  const { region, blobs, log, buckets, sources, authenticate, engine } = parts;
  const mostBytes = settings.pictureCache;
  const styles = new Styles({
    store: new StyleStore(region),
    buckets,
    freshMs: settings.controlCache,
    staleMs: settings.controlStale,
  });
  const store = new PictureStore(region);
  const cache = new PictureCache({ store, blobs, log, mostBytes, commitWindowMs: settings.commitWindow });
  const maker = new Maker<Made>({
    engine,
    slots: settings.pictureSlots,
    waiting: settings.pictureWaiting,
    processes: settings.imageProcesses,
    timeoutMs: settings.pictureTimeout,
  });
  const pictures = new Pictures({ styles, cache, maker, sources });
  return {
    pictures,
    eviction: new Eviction(store, blobs, { mostBytes }),
    routes: styleRoutes({ styles, authenticate, plainHttp: settings.plainHttp }),
    get counts() {
      return { made: maker.made, fromCache: pictures.fromCache, underWay: maker.underWay };
    },
  };
}
