/** The operations on objects as texts, `/stat/<EncodedEntryURI>` and so on: each is a call, and each can stand in a batch. */
import { type Condition, encodeBase64Text, formatCondition, formatEntry } from '@millpond/protocol';
import type { StorageClassNumber } from './records.ts';

export interface MetadataChange {
  readonly mimeType?: string | undefined;
  /** Names without their prefix; an empty value removes. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Only if the object is still so. */
  readonly condition?: Condition | undefined;
}

/** Days after the upload; -1 takes the rule away, 0 or nothing leaves it. */
export interface ObjectLifecycle {
  readonly toIAAfterDays?: number;
  readonly toArchiveAfterDays?: number;
  readonly toDeepArchiveAfterDays?: number;
  readonly deleteAfterDays?: number;
  readonly condition?: Condition;
}

const cond = (condition: Condition | undefined) =>
  condition === undefined ? '' : `/cond/${encodeBase64Text(formatCondition(condition))}`;

export const operations = {
  stat: (bucket: string, key: string) => `/stat/${formatEntry(bucket, key)}`,
  delete: (bucket: string, key: string) => `/delete/${formatEntry(bucket, key)}`,
  copy: (from: Named, to: Named, force = false) => relocation('copy', from, to, force),
  move: (from: Named, to: Named, force = false) => relocation('move', from, to, force),
  changeType: (bucket: string, key: string, type: StorageClassNumber) =>
    `/chtype/${formatEntry(bucket, key)}/type/${type}`,
  changeStatus: (bucket: string, key: string, isDisabled: boolean, condition?: Condition) =>
    `/chstatus/${formatEntry(bucket, key)}/status/${isDisabled ? 1 : 0}${cond(condition)}`,
  deleteAfterDays: (bucket: string, key: string, days: number) =>
    `/deleteAfterDays/${formatEntry(bucket, key)}/${days}`,
  lifecycle: (bucket: string, key: string, { condition, ...days }: ObjectLifecycle) =>
    `/lifecycle/${formatEntry(bucket, key)}${Object.entries(days)
      .map(([name, count]) => `/${name}/${count}`)
      .join('')}${cond(condition)}`,
  restore: (bucket: string, key: string, days: number) =>
    `/restoreAr/${formatEntry(bucket, key)}/freezeAfterDays/${days}`,
  changeMetadata: (metaPrefix: string, bucket: string, key: string, change: MetadataChange) =>
    [
      `/chgm/${formatEntry(bucket, key)}`,
      change.mimeType === undefined ? '' : `/mime/${encodeBase64Text(change.mimeType)}`,
      ...Object.entries(change.metadata ?? {}).map(
        ([name, value]) => `/${metaPrefix}${name}/${encodeBase64Text(value)}`,
      ),
      cond(change.condition),
    ].join(''),
} as const;

export interface Named {
  readonly bucket: string;
  readonly key: string;
}

function relocation(word: 'copy' | 'move', from: Named, to: Named, force: boolean): string {
  const entries = `${formatEntry(from.bucket, from.key)}/${formatEntry(to.bucket, to.key)}`;
  return `/${word}/${entries}${force ? '/force/true' : ''}`;
}
