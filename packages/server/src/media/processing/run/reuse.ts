/**
 * Results that exist already under another name: the same command on the same content, by the same account. They become a
 * second object with the same bytes, and no engine runs. Only results that are still as they were made count.
 */
import type { Objects, ObjectsFeature } from '../../../storage/objects/index.ts';
import type { ResultTarget } from '../processing.target.ts';
import type { TaskItem, TaskRow } from '../task.ts';
import type { TaskStore } from '../tasks/task.store.ts';
import { runOf } from '../tasks/task-completion.ts';
import { RunLostError } from './heartbeat.ts';
import type { ItemTimes } from './item-times.ts';
import type { CachedResult, ResultCacheStore } from './result-cache.store.ts';
import { resultCacheKey } from './result-cache-key.ts';

export interface ReuseDeps {
  readonly tasks: TaskStore;
  readonly works: ResultCacheStore;
  readonly objects: Objects;
  readonly relocations: ObjectsFeature['copies'];
}

/** An item under way. */
export interface ReusedItem {
  readonly task: TaskRow;
  readonly position: number;
  readonly fop: Parameters<typeof resultCacheKey>[0];
  readonly times: ItemTimes;
}

export class Reuse {
  readonly #deps: ReuseDeps;

  constructor(deps: ReuseDeps) {
    this.#deps = deps;
  }

  /** The item as the task's row now has it; undefined if the command must be run. */
  async tryItem(
    { task, position, fop, times }: ReusedItem,
    target: ResultTarget,
  ): Promise<TaskItem | undefined> {
    const { digest, isReusable } = resultCacheKey(fop, task);
    // A copy can't have its own expiry.
    if (!isReusable || target.expiresAt !== undefined) return undefined;
    const known = await this.#deps.works.find(task.uid, digest);
    const blobId = known && (await this.#unchanged(task, known));
    if (known === undefined || blobId === undefined) return undefined;
    const key = target.keyOf(known.hash);
    const { hash, warnings } = known;
    const made: TaskItem = {
      cmd: fop.cmd,
      code: 0,
      error: '',
      hash,
      key,
      returnOld: 0,
      ...(warnings === null ? {} : { warnings }),
    };
    const item = times.ended(made);
    const { tasks, relocations } = this.#deps;
    const from = { bucketId: known.bucket_id, key: known.key };
    const to = { bucketId: target.bucket.id, key };
    const copied = await tasks
      .transaction(async (transaction) => {
        const row = await relocations.relocate(
          from,
          to,
          { kind: 'copy', force: false, way: 'process' },
          transaction,
        );
        if (!row.written) return false;
        // It was replaced between the two reads: none of this may be committed.
        if (row.blob_id !== blobId) throw new ReplacedError();
        if (!(await tasks.setItem(runOf(task), position, item, transaction))) throw new RunLostError();
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof ReplacedError) return false;
        throw error;
      });
    return copied ? item : undefined;
  }

  /** The bytes of a result that has not been changed since it was made. */
  async #unchanged(task: TaskRow, known: CachedResult): Promise<string | undefined> {
    const row = await this.#deps.objects.find({ id: known.bucket_id }, known.key);
    if (row === undefined || row.hash !== known.hash || row.mime_type !== known.mime_type) return undefined;
    const isPlain = row.class === 0 && row.status === 0 && row.meta === null && row.headers === null;
    return isPlain && row.end_user === task.end_user ? row.blob_id : undefined;
  }
}

class ReplacedError extends Error {}
