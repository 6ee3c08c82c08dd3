/**
 * Removes bytes that belong to nobody: the collector empties the trash after its grace period, the sweep finds what a
 * crash left between the engine and the commit. Both may crash at any point and be rerun.
 */
import { type BlobStore, blobTime, hourAt } from '@millpond/blobs';
import type { TrashCursor, TrashPage, TrashRow, TrashStore } from './trash-upkeep.store.ts';

const BATCH = 500;
const HOUR_MS = 3_600_000;

export interface CollectorOptions {
  readonly trashGraceMs: number;
  readonly sweepAgeMs: number;
}

export class Collector {
  readonly #store: TrashStore;
  readonly #blobs: BlobStore;
  readonly #options: CollectorOptions;

  constructor(store: TrashStore, blobs: BlobStore, options: CollectorOptions) {
    this.#store = store;
    this.#blobs = blobs;
    this.#options = options;
  }

  /** The number of blobs removed. */
  async collect(cancel: AbortSignal): Promise<number> {
    const { trashGraceMs } = this.#options;
    const refused = await this.#walk((after) => this.#store.claimRefused(trashGraceMs, BATCH, after), cancel);
    return refused + (await this.#walk((after) => this.#store.claimDue(trashGraceMs, BATCH, after), cancel));
  }

  async #walk(
    claim: (after: TrashCursor | undefined) => Promise<TrashPage>,
    cancel: AbortSignal,
  ): Promise<number> {
    let removed = 0;
    for (let after: TrashCursor | undefined; !cancel.aborted; ) {
      const { rows, next } = await claim(after);
      if (rows.length > 0) await this.#remove(rows, cancel);
      removed += rows.length;
      if (next === undefined) break;
      after = next;
    }
    return removed;
  }

  async #remove(rows: readonly TrashRow[], cancel: AbortSignal): Promise<void> {
    // Bytes that several objects shared have one row for each of them.
    const distinct = [...new Map(rows.map((row) => [row.blob_id, row])).values()];
    const whole = distinct.filter((row) => row.segment_count === 1).map((row) => row.blob_id);
    const inParts = distinct.filter((row) => row.segment_count > 1).map((row) => row.blob_id);
    const parts = inParts.length === 0 ? [] : await this.#store.ownSegments(inParts);
    await this.#blobs.remove([...whole, ...parts], cancel);
    await this.#store.forget(distinct);
  }

  /**
   * Compares the engine with the rows, hour by hour, from where the last sweep ended. With `everything` it starts at
   * the first hour: for an operator, after the database was restored to an earlier time.
   */
  async sweep(cancel: AbortSignal, options: { everything?: boolean } = {}): Promise<number> {
    const { from, to } = await this.#store.sweepRange(this.#options.sweepAgeMs);
    await this.#blobs.abortStale(to, cancel);
    let removed = 0;
    if (options.everything)
      for (const hour of await this.#blobs.listHours(cancel))
        removed += await this.#sweepHour(hour, to, cancel);
    else
      for (const time of hoursBetween(from, to)) {
        removed += await this.#sweepHour(hourAt(time), to, cancel);
        // The next sweep starts after what this one has done, even if a later hour fails.
        await this.#store.advanceSweep(new Date(Math.min(time + HOUR_MS, to.getTime())));
      }
    await this.#store.advanceSweep(to);
    return removed;
  }

  async #sweepHour(hour: string, to: Date, cancel: AbortSignal): Promise<number> {
    let removed = 0;
    for await (const page of this.#blobs.list(hour, { signal: cancel })) {
      const due = page.map((blob) => blob.id).filter((id) => blobTime(id) < to.getTime());
      if (due.length === 0) continue;
      const named = await this.#store.named(due);
      const unnamed = due.filter((id) => !named.has(id));
      if (unnamed.length > 0) await this.#blobs.remove(unnamed, cancel);
      removed += unnamed.length;
    }
    return removed;
  }
}

function* hoursBetween(from: Date, to: Date): Generator<number> {
  const last = hourAt(to.getTime());
  for (let time = from.getTime(); hourAt(time) <= last; time += HOUR_MS) yield time;
}
