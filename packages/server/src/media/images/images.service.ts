/**
 * Images by URL: which commands a URL may hold, and their result as an object to download. Reads only the object
 * itself, and watermarks that are objects of the same account.
 */
import { createHash } from 'node:crypto';
import type { FurtherSource, MediaSource } from '@millpond/jail';
import { Fault, sourcesOf, type UrlCommands } from '@millpond/protocol';
import type { Tenants } from '../../identity/accounts/index.ts';
import type { Bucket } from '../../storage/buckets/index.ts';
import { assertReadable, type ObjectRow } from '../../storage/objects/index.ts';
import type { ObjectSources } from '../processing/index.ts';
import { HotSources, type SourceHandle } from './hot-sources.ts';
import type { ImageCacheKey, ImageRow } from './image.store.ts';
import { type ImageCache, textOf } from './images.cache.ts';
import type { Renderer } from './maker.ts';
import type { Styles } from './styles.ts';

export interface ImageDeps {
  readonly styles: Styles;
  readonly cache: ImageCache;
  readonly renderer: Renderer<RenderedImage>;
  readonly sources: ObjectSources;
  readonly tenants: Tenants;
}

export interface ImageRequest {
  readonly bucket: Bucket;
  /** The object; the client may read it. */
  readonly row: ObjectRow;
  readonly work: UrlCommands;
  /**
   * Whether the bucket's owner asks for this work: by a style, or by a signature over the URL. `mark`: by a key that may read this
   * object, too.
   */
  readonly isOwners: (mark?: { readonly bucket: Bucket; readonly key: string }) => Promise<boolean>;
  readonly cancel: AbortSignal;
}

/** What to send: an object, and its bytes if they are in memory. */
export interface ImageResponse {
  readonly row: ObjectRow;
  readonly bytes?: Uint8Array | undefined;
}

export interface RenderedImage {
  readonly row: ImageRow;
  readonly bytes: Buffer | undefined;
}

export class Images {
  readonly #deps: ImageDeps;
  readonly #hot = new HotSources();
  #fromCache = 0;

  constructor(deps: ImageDeps) {
    this.#deps = deps;
  }

  /** Number of results that did not have to be made. */
  get fromCache(): number {
    return this.#fromCache;
  }

  /** Refuses commands in a URL if the bucket doesn't allow them. */
  async checkAllowed(bucket: Bucket, isOwners: ImageRequest['isOwners']): Promise<void> {
    const commandPolicy = await this.#deps.styles.allowed(bucket);
    if (commandPolicy === 'styles')
      throw new Fault('notAllowed', { hint: 'this bucket accepts only its styles, no commands' });
    if (commandPolicy === 'signed' && !(await isOwners()))
      throw new Fault('notAllowed', { hint: 'this bucket accepts commands only in signed URLs' });
  }

  /** The object and the work for a key that ends in the name of a style. */
  styleIn(bucket: Bucket, key: string): ReturnType<Styles['styleIn']> {
    return this.#deps.styles.styleIn(bucket, key);
  }

  async serve(request: ImageRequest): Promise<ImageResponse> {
    const { cache, renderer, sources, tenants } = this.#deps;
    const leases: SourceHandle[] = [];
    const contentOf = async (object: ObjectRow, signal: AbortSignal): Promise<MediaSource> => {
      const lease = await this.#hot.use(object.blob_id, () => sources.content(object, signal), signal);
      leases.push(lease);
      return lease.source;
    };
    const { row, work, cancel } = request;
    const marks = await this.#marks(request);
    const name = nameOf(row, work, [...marks.values()]);
    const found = await cache.find(name, cancel);
    if (found !== undefined) {
      this.#fromCache += 1;
      return served(row, { row: found, bytes: undefined });
    }
    const order = {
      name: textOf(name),
      tenant: await tenants.of(request.bucket.uid),
      job: async (signal: AbortSignal) => ({
        stages: work.stages,
        source: await contentOf(row, signal),
        further: (url: string): FurtherSource => {
          const mark = marks.get(url);
          if (mark === undefined) throw new Error('a mark that nobody named');
          return { size: Number(mark.fsize), open: () => contentOf(mark, signal) };
        },
      }),
      end(isRead: boolean): void {
        for (const lease of leases.splice(0)) lease.end(isRead);
      },
      keep: async (result: Parameters<ImageCache['keep']>[1]): Promise<RenderedImage> => ({
        row: await cache.keep(name, result),
        bytes: result === 'original' ? undefined : result.bytes,
      }),
    };
    return served(row, await renderer.make(order, cancel));
  }

  /** By URL. A reader of a public image must not see private ones as watermarks on it. */
  async #marks({ bucket, work, isOwners, cancel }: ImageRequest): Promise<ReadonlyMap<string, ObjectRow>> {
    const marks = new Map<string, ObjectRow>();
    for (const text of new Set(work.stages.flatMap(sourcesOf))) {
      const url = URL.parse(text);
      const found = url === null ? undefined : await this.#deps.sources.named(bucket.uid, url, cancel);
      const isHidden = typeof found === 'object' && found.bucket.isPrivate && !(await isOwners(found));
      if (found === undefined || found === 'elsewhere' || isHidden)
        throw new Fault('commandFailed', { hint: 'a mark must be an object of the same account' });
      if (found.row.status !== 0) throw new Fault('objectDisabled');
      assertReadable(found.row);
      marks.set(text, found.row);
    }
    return marks;
  }
}

/** As its own object: it has the source's time and caching, and none of the source's other metadata. */
function served(source: ObjectRow, { row, bytes }: RenderedImage): ImageResponse {
  if (row.hash === '') return { row: source };
  return {
    row: {
      ...source,
      hash: row.hash,
      fsize: row.size,
      mime_type: row.mime_type,
      meta: null,
      headers: cachingOf(source.headers),
      blob_id: row.blob_id ?? source.blob_id,
      segment_count: 1,
    },
    bytes,
  };
}

function cachingOf(headers: ObjectRow['headers']): ObjectRow['headers'] {
  const kept = Object.entries(headers ?? {}).filter(
    ([name]) => name === 'cache-control' || name === 'expires',
  );
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

/** Version of what engines make of a command. Increase it when that changes: results of before are then not served again. */
const GENERATION = 2;

export function nameOf(
  { blob_id }: Pick<ObjectRow, 'blob_id'>,
  { canonical }: Pick<UrlCommands, 'canonical'>,
  marks: readonly Pick<ObjectRow, 'blob_id'>[],
): ImageCacheKey {
  const hash = createHash('sha256').update(`${GENERATION}\n${canonical}\n`);
  for (const mark of marks) hash.update(`${mark.blob_id}\n`);
  return { sourceBlob: blob_id, work: hash.digest() };
}
