/**
 * Runs one command of a task, and makes objects of its output. A failure that is the command's own fault fails the item;
 * any other is thrown, and the task is run again.
 */
import { Timer } from '@millpond/base';
import { Fault, type Fop } from '@millpond/protocol';
import { isSqlState } from '../../../platform/db/sqlstate.ts';
import type { Buckets } from '../../../storage/buckets/index.ts';
import type { Objects } from '../../../storage/objects/index.ts';
import { checkedKey, namesPartsItself } from '../part-keys.ts';
import { type ResultTarget, targetOf } from '../processing.target.ts';
import { keptKeys, type TaskItem, type TaskRow } from '../task.ts';
import type { TaskStore } from '../tasks/task.store.ts';
import { runOf } from '../tasks/task-completion.ts';
import { type CommandEngine, CommandError, type OutputFile } from './command-engine.ts';
import { RunLostError } from './heartbeat.ts';
import type { ItemTimes } from './item-times.ts';
import type { ResultCacheStore } from './result-cache.store.ts';
import { resultCacheKey } from './result-cache-key.ts';
import type { Results, StoredFile } from './results.ts';
import type { Reuse } from './reuse.ts';

export interface ItemDeps {
  readonly store: TaskStore;
  readonly objects: Objects;
  readonly buckets: Buckets;
  readonly results: Results;
  readonly engine: CommandEngine;
  readonly works: ResultCacheStore;
  readonly reuse: Reuse;
}

export interface ItemRun {
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
  readonly times: ItemTimes;
}

interface Running extends ItemRun {
  readonly task: TaskRow;
  readonly position: number;
  readonly fop: Fop;
}

export class ItemRunner {
  readonly #deps: ItemDeps;
  /** Items whose command was run, those copied from an earlier result, and those whose target existed. */
  readonly counts = { made: 0, reused: 0, returned: 0 };
  readonly timer = new Timer({
    name: 'millpond_task_item_seconds',
    help: 'Duration of task commands until their result is stored, by the first command of a pipe',
    labels: ['command', 'outcome'],
  });

  constructor(deps: ItemDeps) {
    this.#deps = deps;
  }

  /** Returns the item as it is in the task's row by then. */
  async run(task: TaskRow, position: number, fop: Fop, run: ItemRun): Promise<TaskItem> {
    const begun = performance.now();
    let outcome = 'broken off';
    try {
      const item = await this.#run({ task, position, fop, ...run });
      outcome = item.code === 0 ? 'done' : 'failed';
      return item;
    } finally {
      const command = fop.stages[0]?.command ?? '';
      this.timer.observe({ command, outcome }, (performance.now() - begun) / 1000);
    }
  }

  async #run(running: Running): Promise<TaskItem> {
    const { task, fop, signal, progress, times } = running;
    const before = task.items[running.position]?.partsSince;
    await this.#write(running, times.begun(underWay(fop, before)));
    try {
      const target = await targetOf(fop, task, this.#deps.buckets);
      const old = task.is_forced ? undefined : await this.#existing(fop, target, target.key);
      if (old !== undefined) return await this.#return(running, old);
      const reused = task.is_forced ? undefined : await this.#deps.reuse.tryItem(running, target);
      if (reused !== undefined) {
        this.counts.reused++;
        return reused;
      }
      this.counts.made++;
      const options = { signal, progress, clock: times, mainKey: target.key };
      return await this.#deps.engine.withResult(fop, task, options, (files, warnings) =>
        this.#keep(running, target, files, warnings),
      );
    } catch (error) {
      const failed = failedItem(fop, error);
      if (failed === undefined || signal.aborted) throw error;
      return this.#write(running, times.ended(failed));
    }
  }

  /**
   * The target is for the first file. The files next to it are stored before it, so that it refers to nothing that does
   * not exist.
   */
  async #keep(
    running: Running,
    target: ResultTarget,
    files: readonly OutputFile[],
    warnings: readonly string[],
  ): Promise<TaskItem> {
    const { task, fop, signal, times } = running;
    const { results, store, works } = this.#deps;
    times.enter('store');
    const [main, ...beside] = files;
    if (main === undefined) throw new Error('the engine made nothing');
    // The parts replace existing objects at their keys: those of a result that appeared since must not be touched.
    const overtaken =
      task.is_forced || beside.length === 0 ? undefined : await this.#existing(fop, target, target.key);
    if (overtaken !== undefined) return this.#return(running, overtaken);
    const stored = await results.store(main.path, main.mimeType, signal);
    const key = target.keyOf(stored.hash);
    const keys = await this.#keepBeside(running, target, key, beside);
    const made: TaskItem = {
      cmd: fop.cmd,
      code: 0,
      error: '',
      hash: stored.hash,
      key,
      ...(keys.length === 0 ? {} : { keys: keptKeys([key, ...keys], task.items.length) }),
      returnOld: 0,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
    const item = times.ended(made);
    const { written } = await this.#commit(
      running,
      stored,
      target,
      key,
      task.is_forced,
      async (transaction, outcome) => {
        // Not written because the key was taken: do not mark the item done.
        if (!outcome.written) return;
        if (!(await store.setItem(runOf(task), running.position, item, transaction)))
          throw new RunLostError();
        const { digest, isReusable } = resultCacheKey(fop, task);
        if (!isReusable) return;
        const result = {
          bucket_id: target.bucket.id,
          key,
          hash: stored.hash,
          mime_type: stored.mimeType,
          warnings: warnings.length === 0 ? null : warnings,
        };
        await works.record(task.uid, digest, result, transaction);
      },
    );
    if (written) return item;
    const old = await this.#existing(fop, target, key);
    if (old === undefined) throw new Error('the object that stood in the way is gone');
    return this.#return(running, old);
  }

  #return(running: Running, old: TaskItem): Promise<TaskItem> {
    this.counts.returned++;
    return this.#write(running, running.times.ended(old));
  }

  async #keepBeside(
    running: Running,
    target: ResultTarget,
    mainKey: string,
    files: readonly OutputFile[],
  ): Promise<string[]> {
    const named = files.map((file) => ({ file, key: checkedKey(file.siblingKey(mainKey)) }));
    const { task, fop, position, times } = running;
    const replaces = task.is_forced || !namesPartsItself(fop);
    const before = task.items[position]?.partsSince;
    if (!replaces && before === undefined && named.length > 0)
      await this.#write(running, times.begun(underWay(fop, new Date(times.now()).toISOString())));
    for (const { file, key } of named) {
      const stored = await this.#deps.results.store(file.path, file.mimeType, running.signal);
      const commit = (overwrite: boolean) =>
        this.#commit(running, stored, target, key, overwrite, async (transaction) => {
          if (!(await this.#deps.store.isRunning(runOf(task), transaction))) throw new RunLostError();
        });
      if ((await commit(replaces)).written) continue;
      const there = await this.#deps.objects.find(target.bucket, key);
      if (there?.hash === stored.hash) continue;
      if (there !== undefined && !isSince(there.put_time, before)) throw standsInTheWay(key);
      await commit(true);
    }
    return named.map(({ key }) => key);
  }

  #commit(
    { task }: Running,
    stored: StoredFile,
    { bucket, expiresAt }: ResultTarget,
    key: string,
    overwrite: boolean,
    also: Parameters<Results['commit']>[3],
  ): Promise<{ written: boolean }> {
    const place = { bucket, key, expiresAt, endUser: task.end_user ?? undefined };
    return this.#deps.results.commit(stored, place, overwrite, also);
  }

  async #existing(
    { cmd }: Fop,
    { bucket }: ResultTarget,
    key: string | undefined,
  ): Promise<TaskItem | undefined> {
    const row = key === undefined ? undefined : await this.#deps.objects.find(bucket, key);
    if (row === undefined || key === undefined) return undefined;
    return { cmd, code: 0, error: '', hash: row.hash, key, returnOld: 1 };
  }

  async #write({ task, position }: Running, item: TaskItem): Promise<TaskItem> {
    if (!(await this.#deps.store.setItem(runOf(task), position, item))) throw new RunLostError();
    return item;
  }
}

function underWay({ cmd }: Fop, partsSince: string | undefined): TaskItem {
  const item: TaskItem = { cmd, code: 2, error: '', returnOld: 0 };
  return partsSince === undefined ? item : { ...item, partsSince };
}

/** Whether an object was stored after a time that an earlier run of the task noted. */
function isSince(putTime: bigint, noted: string | undefined): boolean {
  return noted !== undefined && putTime >= BigInt(Date.parse(noted)) * 10_000n;
}

function standsInTheWay(key: string): Fault {
  return new Fault('fileExists', {
    hint: `the object ${key} exists, and without force a task replaces nothing`,
  });
}

/** Undefined if it is not the command's fault. */
function failedItem({ cmd }: Fop, error: unknown): TaskItem | undefined {
  if (error instanceof CommandError) {
    const { message, stage, words } = error;
    return {
      cmd,
      code: 3,
      error: message,
      errorIndex: String(stage),
      returnOld: 0,
      // If the cut split a character, the half is replaced: otherwise the record could not be written.
      ...(words === undefined ? {} : { words: words.toWellFormed() }),
    };
  }
  if (isSqlState(error, 'programLimitExceeded'))
    return { cmd, code: 3, error: 'its results cannot be recorded', errorIndex: '0', returnOld: 0 };
  // Our own failures are 599; failures caused by the account itself (a deleted bucket) are not.
  if (!(error instanceof Fault) || error.status === 599) return undefined;
  return { cmd, code: 3, error: error.hint ?? error.fault, errorIndex: '0', returnOld: 0 };
}
