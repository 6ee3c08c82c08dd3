/** Where the result of a command goes: bucket, key, and how long it stays. */
import {
  defaultResultKey,
  type Fop,
  midnightAfter,
  nameValues,
  renderName,
  type SaveAs,
  type SaveKeyVariable,
  type SavePatternVariable,
  type TemplateValues,
  timeValues,
} from '@millpond/protocol';
import { nodeHashing } from '../../platform/hashing.ts';
import type { Bucket, Buckets } from '../../storage/buckets/index.ts';
import { checkedKey, checkPartKeys } from './part-keys.ts';
import type { TaskRow } from './task.ts';

export interface ResultTarget {
  readonly bucket: Bucket;
  /** Undefined if it depends on the result. */
  readonly key: string | undefined;
  /** Once the result's hash is known. */
  keyOf(etag: string): string;
  readonly expiresAt: Date | undefined;
}

/** The target's bucket may have been deleted since the submission: then the item fails. */
export async function targetOf(fop: Fop, task: TaskRow, buckets: Buckets): Promise<ResultTarget> {
  const { saveAs } = fop;
  const bucket = await buckets.owned(task.uid, saveAs?.entry.bucket ?? task.input_bucket);
  const key = keyOfSource(fop, task);
  if (key !== undefined) checkPartKeys(fop, key);
  return {
    bucket,
    key,
    keyOf: (etag) =>
      key ?? (saveAs?.saveKey === undefined ? etag : checkedKey(renderSaveKey(saveAs.saveKey, etag))),
    expiresAt: expiryOf(saveAs?.deleteAfterDays),
  };
}

/** The key that the command itself names, whatever its source. */
export function explicitKey({ saveAs }: Fop): string | undefined {
  return saveAs?.savePattern === undefined && saveAs?.saveKey === undefined ? saveAs?.entry.key : undefined;
}

/** An archive is named by its own hash: its source has little to do with its content. */
function keyOfSource({ cmd, stages, saveAs }: Fop, task: TaskRow): string | undefined {
  if (saveAs?.savePattern !== undefined)
    return checkedKey(renderName(saveAs.savePattern, sourceValues(task)));
  if (saveAs?.saveKey !== undefined) return undefined;
  if (saveAs?.entry.key !== undefined) return saveAs.entry.key;
  return stages.at(-1)?.command === 'mkzip' ? undefined : defaultResultKey(nodeHashing, cmd, task.hash);
}

type PatternValues = Readonly<Record<SavePatternVariable, string>>;
type KeyValues = Readonly<Record<SaveKeyVariable, string>>;

function sourceValues(task: TaskRow): PatternValues {
  const names = nameValues({
    fname: task.input_key.split('/').at(-1),
    key: task.input_key,
    mimeType: task.mime_type,
  });
  return {
    ...texts(names),
    bucket: task.input_bucket,
    etag: task.hash,
    fsize: task.fsize.toString(),
    endUser: task.end_user ?? '',
  } as PatternValues;
}

function renderSaveKey(saveKey: NonNullable<SaveAs['saveKey']>, etag: string): string {
  return renderName(saveKey, { ...texts(timeValues(Date.now() / 1000)), etag } as KeyValues);
}

/** A variable without a value is empty in a name. */
function texts(values: TemplateValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

function expiryOf(days: number | undefined): Date | undefined {
  return days === undefined ? undefined : midnightAfter(days);
}
