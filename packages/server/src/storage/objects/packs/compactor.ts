/**
 * Rewrites packs of which more than 30 % is garbage, and small ones when there are many: what is left in several of them
 * becomes one new pack. The old ones go to the trash and stay readable for its grace period, for readers that are on their way
 * to them and for a database that is restored to an earlier time. It may crash at any point and be rerun.
 */
import { type BlobStore, newBlobId } from '@millpond/blobs';
import { PACK_BYTES, type PackEntry, type PackRow, type PackStore } from './pack.store.ts';

/** Packs that are looked at together. */
const BATCH = 64;
/** Fewer small packs than this are not worth joining: each of their bytes is written again. */
const MANY = 32;

export interface CompactorDeps {
  readonly packs: PackStore;
  readonly blobs: Pick<BlobStore, 'readAll' | 'put' | 'remove'>;
}

/** A new pack as it is being filled. */
interface Filling {
  readonly chunks: Uint8Array[];
  readonly blobs: PackEntry[];
  readonly old: number[];
  size: number;
}

export class Compactor {
  readonly #deps: CompactorDeps;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
  }

  /** The number of packs that are gone. */
  async run(signal: AbortSignal): Promise<number> {
    const { packs } = this.#deps;
    const holed = await this.#rewriteAll(() => packs.fragmented(BATCH), 1, signal);
    return holed + (await this.#rewriteAll(() => packs.undersized(BATCH), MANY, signal));
  }

  /** Until there are fewer than `least`, or none of them went: what could not be replaced now is for the next run. */
  async #rewriteAll(
    find: () => Promise<readonly PackRow[]>,
    least: number,
    signal: AbortSignal,
  ): Promise<number> {
    for (let gone = 0; ; ) {
      signal.throwIfAborted();
      const found = await find();
      const went = found.length < least ? 0 : await this.#rewrite(found, signal);
      if (went === 0) return gone;
      gone += went;
    }
  }

  async #rewrite(old: readonly PackRow[], signal: AbortSignal): Promise<number> {
    let filling = emptyPack();
    let gone = 0;
    const empty: number[] = [];
    for (const row of old) {
      signal.throwIfAborted();
      const contents = await this.#deps.packs.contents(row.pack);
      if (contents.length === 0) {
        empty.push(row.pack);
        continue;
      }
      const size = contents.reduce((sum, blob) => sum + blob.size, 0);
      if (filling.old.length > 0 && filling.size + size > PACK_BYTES) {
        gone += await this.#write(filling, signal);
        filling = emptyPack();
      }
      await this.#take(filling, row, contents, signal);
    }
    if (empty.length > 0) gone += await this.#deps.packs.drop(empty);
    if (filling.old.length > 0) gone += await this.#write(filling, signal);
    return gone;
  }

  async #take(
    filling: Filling,
    { pack, pack_id, size }: PackRow,
    contents: readonly PackEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    const bytes = await this.#deps.blobs.readAll(pack_id, size, signal);
    // Their own memory: a part of the pack would keep all of it.
    const kept = Buffer.allocUnsafeSlow(contents.reduce((sum, blob) => sum + blob.size, 0));
    let at = 0;
    for (const blob of contents) {
      if (blob.at + blob.size > bytes.length) throw new Error(`pack ${pack_id} is shorter than its places`);
      kept.set(bytes.subarray(blob.at, blob.at + blob.size), at);
      filling.blobs.push({ ...blob, at: filling.size + at });
      at += blob.size;
    }
    filling.chunks.push(kept);
    filling.size += kept.length;
    filling.old.push(pack);
  }

  /** The number of old packs that it replaced. */
  async #write({ chunks, blobs, old, size }: Filling, signal: AbortSignal): Promise<number> {
    const packId = newBlobId();
    await this.#deps.blobs.put(packId, chunks, { tier: 'STANDARD', signal });
    const placeResult = await this.#deps.packs.replace({ packId, size, blobs }, old);
    if (placeResult.blobs === 0) await this.#deps.blobs.remove([packId], signal);
    return placeResult.dropped;
  }
}

function emptyPack(): Filling {
  return { chunks: [], blobs: [], old: [], size: 0 };
}
