/**
 * Moves small blobs from the inbox into packs. The open slot is closed when it is full or old, and another, empty one is
 * opened; then everything in the closed slots is written as a few blobs of the engine and their places are committed. Some
 * time later, when nobody can be reading rows of before that, the slots are emptied.
 *
 * It may crash at any point and be rerun, also by two processes at once: a pack counts from the commit of its places on, a
 * slot is emptied only if all that is in it has a place, and a pack without places is nobody's and falls to the sweep.
 */
import { type BlobId, type BlobStore, newBlobId } from '@millpond/blobs';
import { MIB } from '@millpond/protocol';
import { abortableSleep } from '../../../platform/sleep.ts';
import type { InboxStore, SlotState, WaitingBlob } from './inbox.store.ts';
import { PACK_BYTES, type PackStore } from './pack.store.ts';

/** A slot of this size is full. */
const SLOT_BYTES = 128n * 1024n * 1024n;
/** Longer than a gateway takes to ask again. */
const LATECOMERS_MS = 2_000;
/** Rows that are listed at a time: more than one pack of small ones. */
const LISTED = 20_000;
/** Bytes that are read from the database at a time. */
const READ_BYTES = MIB;

export interface PackerDeps {
  readonly inbox: InboxStore;
  readonly packs: PackStore;
  readonly blobs: Pick<BlobStore, 'put' | 'remove'>;
  /** How long the oldest in the open slot waits for others. */
  readonly packAfterMs: number;
  /** How long gateways may write to a slot after it was closed, because they have not heard of it; later ones are packed too. */
  readonly lateWriteGraceMs?: number;
  /** How long a slot is kept after all of it was packed. */
  readonly emptyAfterMs: number;
  readonly packBytes?: number;
}

export interface PackRunCounts {
  readonly packs: number;
  readonly blobs: number;
}

export class Packer {
  readonly #deps: PackerDeps;

  constructor(deps: PackerDeps) {
    this.#deps = deps;
  }

  /** Until nothing can be packed or emptied now. */
  async run(signal: AbortSignal): Promise<PackRunCounts> {
    const { inbox, emptyAfterMs } = this.#deps;
    const done = { packs: 0, blobs: 0 };
    for (let isMore = true; isMore && !signal.aborted; ) {
      isMore = false;
      for (const slot of await this.#closeIfDue(signal)) {
        if (await this.#packSlot(slot, done, signal)) isMore = true;
        // What is in use, by a backup for example, is tried again by the next run.
        else if (this.#isDue(slot) && (await inbox.empty(slot.slot, emptyAfterMs))) isMore = true;
      }
    }
    return done;
  }

  #isDue({ packed_ms: packedMs }: SlotState): boolean {
    return packedMs !== null && packedMs >= this.#deps.emptyAfterMs;
  }

  /** The slots to be packed. */
  async #closeIfDue(signal: AbortSignal): Promise<readonly SlotState[]> {
    const { inbox, packAfterMs } = this.#deps;
    const slots = await inbox.slots();
    const open = slots.find((slot) => slot.is_open);
    const next = slots.find((slot) => slot.is_empty && !slot.is_open);
    const waiting = slots.filter((slot) => !slot.is_open && !slot.is_empty);
    if (open === undefined || next === undefined || open.is_empty) return waiting;
    if (open.bytes < SLOT_BYTES && open.oldest_ms < packAfterMs) return waiting;
    if (await inbox.turn(open.slot, next.slot))
      await abortableSleep(this.#deps.lateWriteGraceMs ?? LATECOMERS_MS, signal);
    return [...waiting, open];
  }

  /**
   * Whether anything changed. Not if something could not be placed, because another packer was faster or the clocks disagree:
   * that is for the next run, and not to be tried again at once.
   */
  async #packSlot(
    { slot, packed_ms: packedMs }: SlotState,
    done: { packs: number; blobs: number },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { inbox } = this.#deps;
    let isNew = packedMs === null;
    for (let after: BlobId | undefined; ; ) {
      const listed = await inbox.waiting(slot, after, LISTED);
      isNew ||= listed.length > 0;
      for (const group of piecesOf(listed, this.#deps.packBytes ?? PACK_BYTES)) {
        signal.throwIfAborted();
        const count = await this.#writePack(slot, group, signal);
        if (count === 0) return false;
        done.blobs += count;
        done.packs++;
      }
      after = listed.at(-1)?.blob_id;
      if (listed.length < LISTED) break;
    }
    if (isNew) await inbox.notePacked(slot);
    return isNew;
  }

  async #writePack(slot: number, group: readonly WaitingBlob[], signal: AbortSignal): Promise<number> {
    const { inbox, packs, blobs } = this.#deps;
    const packId = newBlobId();
    const chunks: Buffer[] = [];
    for (const piece of piecesOf(group, READ_BYTES))
      chunks.push(
        await inbox.bytes(
          slot,
          piece.map((blob) => blob.blob_id),
        ),
      );
    let at = 0;
    const placed = group.map(({ blob_id, size }) => {
      const place = { blob_id, at, size };
      at += size;
      return place;
    });
    const read = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    // Another packer has placed them all and emptied the slot.
    if (read !== at) return 0;
    await blobs.put(packId, chunks, { tier: 'STANDARD', signal });
    const added = await packs.add({ packId, size: at, blobs: placed });
    if (added.blobs === 0) await blobs.remove([packId], signal);
    return added.blobs;
  }
}

/** Divides a list into runs of at most this many bytes; at least one blob in each. */
function* piecesOf<Blob extends { readonly size: number }>(
  list: readonly Blob[],
  most: number,
): Generator<readonly Blob[]> {
  let piece: Blob[] = [];
  let bytes = 0;
  for (const blob of list) {
    if (piece.length > 0 && bytes + blob.size > most) {
      yield piece;
      [piece, bytes] = [[], 0];
    }
    piece.push(blob);
    bytes += blob.size;
  }
  if (piece.length > 0) yield piece;
}
