/** Objects as the sources of commands, and objects named by a URL of one of our own hosts. */
import { isIP } from 'node:net';
import { type BlobStore, readSegments } from '@millpond/blobs';
import type { MediaSource } from '@millpond/jail';
import { decodePercent } from '@millpond/protocol';
import type { Bucket, Buckets } from '../../../storage/buckets/index.ts';
import type { ObjectRow, Objects } from '../../../storage/objects/index.ts';

/** The object that a URL of one of our download hosts names; undefined for any other URL. */
export type LocateObject = (url: URL) => { readonly bucket: string; readonly key: string } | undefined;

export interface ObjectSourceDeps {
  readonly objects: Objects;
  readonly buckets: Buckets;
  readonly blobs: BlobStore;
  readonly locate: LocateObject;
}

export interface NamedObject {
  readonly bucket: Bucket;
  readonly key: string;
  readonly row: ObjectRow;
}

type StoredBytes = Pick<ObjectRow, 'blob_id' | 'segment_count' | 'fsize'>;

export class ObjectSources {
  readonly #deps: ObjectSourceDeps;

  constructor(deps: ObjectSourceDeps) {
    this.#deps = deps;
  }

  async content(blob: StoredBytes, signal: AbortSignal): Promise<MediaSource> {
    const { objects, blobs } = this.#deps;
    const rows = await objects.segments(blob, signal);
    const segments = rows.map(({ segment_id, size }) => ({ id: segment_id, size: Number(size) }));
    return {
      size: Number(blob.fsize),
      read: (range, sink, either) => readSegments(blobs, segments, range, sink, either),
    };
  }

  /** 'elsewhere': not our host. Undefined: not one of this account's objects; another account's look the same. */
  async named(uid: bigint, url: URL, signal: AbortSignal): Promise<NamedObject | 'elsewhere' | undefined> {
    const place = await this.#placeOf(url);
    if (place === undefined) return 'elsewhere';
    const { bucket, key } = place;
    if (bucket?.uid !== uid) return undefined;
    await this.#deps.buckets.assertInThisRegion(bucket);
    const row = await this.#deps.objects.find(bucket, key, signal);
    return row && { bucket, key, row };
  }

  /** The path of the bucket's objects at this host: `/<bucket>/`, or `/`; undefined: it has none there. */
  async rootAt(bucket: Pick<Bucket, 'id' | 'name'>, host: string): Promise<string | undefined> {
    const root = `/${bucket.name}/`;
    const url = URL.parse(`http://${host}${root}`);
    const place = url === null ? undefined : this.#deps.locate(url);
    if (place !== undefined) return place.bucket !== bucket.name ? undefined : place.key === '' ? root : '/';
    const named =
      url === null || isIP(url.hostname) !== 0 ? undefined : await this.#deps.buckets.byDomain(url.hostname);
    return named?.id === bucket.id ? '/' : undefined;
  }

  async #placeOf(url: URL): Promise<{ bucket: Bucket | undefined; key: string } | undefined> {
    const { buckets, locate } = this.#deps;
    const place = locate(url);
    if (place !== undefined) return { bucket: await buckets.byName(place.bucket), key: place.key };
    const bucket = isIP(url.hostname) === 0 ? await buckets.byDomain(url.hostname) : undefined;
    const key = decodePercent(url.pathname.slice(1));
    return bucket && (key === undefined ? { bucket: undefined, key: '' } : { bucket, key });
  }
}
