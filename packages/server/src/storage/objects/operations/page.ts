/**
 * One operation on a page of objects, within the caller's transaction: what it does, and what the caller remembers of it, happen
 * together or not at all. Each object is judged as by the single operation, with its own outcome, in the order given.
 */
import type { BlobId } from '@millpond/blobs';
import { Fault } from '@millpond/protocol';
import type { Transaction } from '../../../platform/db/database.ts';
import type { RestorableRow } from '../restore-status.ts';
import type { UpkeepRequests } from '../upkeep-requests.ts';
import type { ArchiveStore } from './archive.store.ts';
import {
  type ArchiveOptions,
  assertClassChange,
  assertRestorable,
  blobInWrongTier,
  restoreTimes,
} from './archive.ts';
import type { BulkStore, ObjectRef } from './bulk-operations.store.ts';
import type { RelocateStore } from './relocate.store.ts';
import { assertRelocatable } from './relocate.ts';
import type { Relocation } from './relocate-statement.ts';

export interface PageDeps {
  readonly archive: ArchiveStore;
  readonly many: BulkStore;
  readonly relocations: RelocateStore;
  readonly options: ArchiveOptions;
  readonly requests: UpkeepRequests;
}

/** Why it was not done; undefined if it was. */
export type PageOutcome = Fault | undefined;

/** An object that the transaction has locked, as it is. */
export interface LockedRow extends RestorableRow {
  readonly key: string;
}

const FROZEN = 0;

export class PageOperations {
  readonly #deps: PageDeps;

  constructor(deps: PageDeps) {
    this.#deps = deps;
  }

  async remove(places: readonly ObjectRef[], transaction: Transaction): Promise<PageOutcome[]> {
    const removed = await this.#deps.many.remove(places, transaction);
    return removed.map((isGone) => (isGone ? undefined : new Fault('noSuchEntry')));
  }

  async changeClass(
    { id: bucketId, uid }: { readonly id: bigint; readonly uid: bigint },
    rows: readonly LockedRow[],
    storageClass: number,
    transaction: Transaction,
  ): Promise<PageOutcome[]> {
    const { archive, requests } = this.#deps;
    const outcomes = rows.map((row) => outcomeOf(() => assertClassChange(row, storageClass)));
    const changing = rows.filter((row, at) => outcomes[at] === undefined && row.class !== storageClass);
    const misplaced: BlobId[] = [];
    for (const bytes of await archive.changeClasses(bucketId, keysOf(changing), storageClass, transaction)) {
      const blobId = blobInWrongTier(bytes, storageClass);
      if (blobId !== undefined) misplaced.push(blobId);
    }
    if (misplaced.length > 0) await requests.moves?.(transaction, misplaced, uid);
    return outcomes;
  }

  async restore(
    { id: bucketId }: { readonly id: bigint },
    rows: readonly LockedRow[],
    days: number,
    transaction: Transaction,
  ): Promise<PageOutcome[]> {
    const outcomes = rows.map((row) => outcomeOf(() => assertRestorable(row)));
    // One that is being restored keeps its times.
    const frozen = rows.filter((row, at) => outcomes[at] === undefined && row.restore_status === FROZEN);
    const times = restoreTimes(this.#deps.options, days);
    if (frozen.length > 0) await this.#deps.archive.restoreAll(bucketId, keysOf(frozen), times, transaction);
    return outcomes;
  }

  async relocate(
    pairs: readonly (readonly [from: ObjectRef, to: ObjectRef])[],
    how: Relocation,
    transaction: Transaction,
  ): Promise<PageOutcome[]> {
    const { relocations, requests } = this.#deps;
    const outcomes: PageOutcome[] = [];
    for (const [from, to] of pairs) {
      // It is both source and target, and would be lost with either.
      if (from.bucketId === to.bucketId && from.key === to.key) {
        outcomes.push(how.force ? undefined : new Fault('fileExists'));
        continue;
      }
      const row = await relocations.relocate(from, to, how, transaction);
      const { blob_id: blobId, segment_count: segments } = row;
      if (how.kind === 'copy' && row.written && blobId !== null && segments !== 1)
        await requests.merge?.(transaction, blobId);
      outcomes.push(outcomeOf(() => assertRelocatable(row)));
    }
    return outcomes;
  }
}

function outcomeOf(judge: () => void): PageOutcome {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function keysOf(rows: readonly LockedRow[]): string[] {
  return rows.map(({ key }) => key);
}
