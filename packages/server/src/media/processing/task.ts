/** A persistent task as its row has it, and as the status query and the notification show it. */
import type { BlobId } from '@millpond/blobs';
import { type Fop, MIB, parseFops, type WireRecord } from '@millpond/protocol';
import { printQueue } from './pipeline-name.ts';

/** 0 done, 1 waiting, 2 processing, 3 failed. */
export type TaskCode = WireRecord<'Task'>['code'];

/** One command of a task. */
export interface TaskItem {
  readonly cmd: string;
  readonly code: TaskCode;
  readonly error: string;
  /** Zero-based index of the piped segment that failed. */
  readonly errorIndex?: string;
  readonly hash?: string;
  readonly key?: string;
  /** Keys of all results, if there are several. */
  readonly keys?: readonly string[];
  readonly returnOld: 0 | 1;
  /** What a user should know about the result, such as a track that it lacks; absent if there is nothing. */
  readonly warnings?: readonly string[];
  /** When a run began to store parts under names that the command gives: what is there since then is the task's own. */
  readonly partsSince?: string;
  /** The last output of the engine that failed; shown only to the owner. */
  readonly words?: string;
  /** ISO 8601, by the database's clock; shown only to the owner, like the stages. */
  readonly begun?: string;
  readonly ended?: string;
  readonly stages?: readonly ItemStage[];
}

/** What an item did for how long. */
export interface ItemStage {
  readonly name: string;
  /** ISO 8601. */
  readonly begun: string;
  readonly ms: number;
  readonly words?: string;
}

export interface TaskRow {
  readonly task_id: string;
  readonly id_time: Date;
  /** ISO 8601 with microseconds: a `Date` would lose them. */
  readonly creation_date: string;
  readonly uid: bigint;
  readonly bucket_id: bigint;
  readonly input_bucket: string;
  readonly input_key: string;
  readonly blob_id: BlobId;
  readonly segment_count: number;
  readonly fsize: bigint;
  readonly hash: string;
  readonly mime_type: string;
  readonly end_user: string | null;
  /** The current code: a task whose worker is lost waits again. */
  readonly code: TaskCode;
  readonly items: readonly TaskItem[];
  readonly is_idle: boolean;
  readonly pipeline: string | null;
  readonly is_admitted: boolean;
  readonly is_forced: boolean;
  readonly notify_url: string | null;
  readonly access_key: string | null;
  readonly reqid: string;
  readonly task_from: string | null;
  readonly attempt: number;
  readonly silent_runs: number;
  readonly percent: number;
  readonly finished_at: Date | null;
  /** By a worker, for the first time. */
  readonly begun_at: Date | null;
  readonly worker: string | null;
}

const DESCRIPTIONS: Record<TaskCode, string> = {
  0: 'The fop was completed successfully',
  1: 'The fop is waiting for execution',
  2: 'The fop is executing now',
  3: 'The fop is failed',
};

/** The record that the status query returns and the notification carries. */
export function taskRecord(row: TaskRow): WireRecord<'Task'> {
  return {
    id: row.task_id,
    pipeline: printQueue(row.uid, row.pipeline),
    code: row.code,
    desc: DESCRIPTIONS[row.code],
    reqid: row.reqid,
    inputBucket: row.input_bucket,
    inputKey: row.input_key,
    creationDate: row.creation_date,
    type: row.is_idle ? 1 : undefined,
    taskFrom: row.task_from ?? undefined,
    items: row.items.map((item) => itemRecord(item, row.code)),
  };
}

/** For the owner: includes the progress and the engine's output; of a single task also what it waits for. */
export function ownTaskRecord(row: TaskRow, waitingFor?: WireRecord<'WaitingFor'>): WireRecord<'OwnTask'> {
  return {
    ...taskRecord(row),
    percent: row.code === 0 ? 100 : Math.floor(row.percent),
    attempts: row.attempt,
    waitingFor,
    begun: row.begun_at?.toISOString(),
    worker: row.worker ?? undefined,
    finishDate: row.finished_at?.toISOString(),
    items: row.items.map((item) => ownItemRecord(item, row.code)),
  };
}

function ownItemRecord(item: TaskItem, taskCode: TaskCode): WireRecord<'OwnTask'>['items'][number] {
  const { words, begun, ended, stages } = item;
  return { ...itemRecord(item, taskCode), words, begun, ended, stages };
}

function itemRecord(item: TaskItem, taskCode: TaskCode): WireRecord<'Task'>['items'][number] {
  // The run that processed this item is lost.
  const code = item.code === 2 && taskCode === 1 ? 1 : item.code;
  return {
    cmd: item.cmd,
    code,
    desc: DESCRIPTIONS[code],
    error: item.error,
    errorIndex: item.errorIndex,
    hash: item.hash,
    key: item.key,
    keys: item.keys,
    returnOld: item.returnOld,
    warnings: item.warnings,
  };
}

/** Commands of the items that are still to be done. A command that this version does not know is left out: the run will fail because of it. */
export function unfinishedCommands({ items }: Pick<TaskRow, 'items'>): Fop[] {
  return items.filter(({ code }) => code === 1 || code === 2).flatMap(({ cmd }) => known(cmd));
}

function known(cmd: string): readonly Fop[] {
  try {
    return parseFops(cmd);
  } catch {
    return [];
  }
}

/** Keys that a task's record names: all its items together, as JSON. */
const MAX_RESULT_KEYS_BYTES = MIB;

/**
 * Which of its results' keys a task names: the first ones. A video may have fifty thousand segments, and anybody who
 * knows the task's id may query its record. Each item has the same share, so none depends on those before it.
 */
export function keptKeys(keys: readonly string[], itemsOfTask: number): string[] {
  let room = Math.floor(MAX_RESULT_KEYS_BYTES / itemsOfTask);
  const kept: string[] = [];
  for (const key of keys) {
    room -= Buffer.byteLength(JSON.stringify(key)) + 1;
    if (room < 0) break;
    kept.push(key);
  }
  return kept;
}

/**
 * How long a run that says nothing is told as running, and keeps the commands that it took from others. Who may take its job is the
 * queue's lease, see platform/queue/definitions.ts.
 */
export const TASK_LEASE_SECONDS = 15;
