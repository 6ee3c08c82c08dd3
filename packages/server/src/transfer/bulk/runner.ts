/**
 * Runs work on many objects: so many objects in a turn, then the next account has one. A run may die anywhere: the next one goes on
 * where the last page ended.
 */
import { Fault, faultWords } from '@millpond/protocol';
import { isSqlState } from '../../platform/db/sqlstate.ts';
import type { Job } from '../../platform/queue/queue.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import { endOfPrefix } from '../../storage/objects/index.ts';
import type { BulkCounts } from './bulk.metrics.ts';
import type { Requeue } from './bulk.service.ts';
import type { RunningBulkRow } from './bulk.store.ts';
import { type PageDeps, type PageResult, runPage } from './pages.ts';
import { runZip, type ZipDeps } from './zip.ts';

export interface RunnerDeps extends PageDeps, ZipDeps {
  readonly buckets: Buckets;
  readonly counts: BulkCounts;
  readonly requeue: Requeue;
}

/** Others wait for the slot. */
const OBJECTS_IN_TURN = 10_000;
/** Runs without progress before it fails: a worker dies, an engine is unreachable. */
const MAX_IDLE_RUNS = 100;
/** Counting more would cost as much as some of the work. */
const MAX_COUNTED = 100_000;
/** Two that move the same objects to each other's places may have to wait for each other. */
const TRIES = 5;

export class BulkRunner {
  readonly #deps: RunnerDeps;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  async run(bulkId: string, job: Job): Promise<void> {
    const { store } = this.#deps;
    const row = await store.begin(bulkId);
    if (row === undefined) return;
    const run = { bulkId, run: row.run };
    if (row.idle_runs > MAX_IDLE_RUNS)
      return store.fail(run, `given up: ${MAX_IDLE_RUNS} runs, one after the other, made no progress`);
    try {
      if (!(await this.#runTurn(row, job.signal))) return;
    } catch (error) {
      if (!isFinal(error)) throw error;
      return store.fail(run, faultWords(error));
    }
    await store.transaction(async (transaction) => {
      await this.#deps.requeue(transaction, row);
      await job.commit(transaction.client);
    });
  }

  /** Whether there is more to do. */
  async #runTurn(row: RunningBulkRow, signal: AbortSignal): Promise<boolean> {
    const source = await this.#bucket(row, row.bucket);
    if (source.id !== row.bucket_id) throw new Fault('noSuchBucket', { hint: row.bucket });
    await this.#countExpected(row);
    if (row.kind === 'zip') {
      const ended = await runZip(
        this.#deps,
        row,
        await this.#bucket(row, row.request.zip?.bucket ?? ''),
        signal,
      );
      if (ended !== 'lost') this.#deps.counts.add(row.kind, ended);
      return false;
    }
    const target = row.request.to === undefined ? source : await this.#bucket(row, row.request.to.bucket);
    for (let seen = 0; seen < OBJECTS_IN_TURN; ) {
      signal.throwIfAborted();
      const ended = await this.#page(row, target.id);
      if (ended === 'lost') return false;
      this.#deps.counts.add(row.kind, ended);
      if (ended.isLast) return false;
      seen += ended.seen;
    }
    return true;
  }

  async #page(row: RunningBulkRow, targetId: bigint): Promise<PageResult> {
    for (let tries = 1; ; tries++) {
      try {
        return await runPage(this.#deps, row, targetId);
      } catch (error) {
        if (tries === TRIES || !isSqlState(error, 'deadlock')) throw error;
      }
    }
  }

  async #countExpected({ bulk_id: bulkId, run, bucket_id: bucketId, ...row }: RunningBulkRow): Promise<void> {
    if (row.expected !== null || row.place !== row.prefix) return;
    const until = endOfPrefix(row.prefix);
    await this.#deps.store.count({ bulkId, run }, { bucketId, from: row.prefix, until }, MAX_COUNTED);
  }

  #bucket({ uid }: RunningBulkRow, name: string): Promise<Bucket> {
    return this.#deps.buckets.owned(uid, name);
  }
}

/** A failure of ours may pass. */
function isFinal(error: unknown): error is Fault {
  return error instanceof Fault && error.fault !== 'serverFailure';
}
