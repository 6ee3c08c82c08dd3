/** The operations on objects as texts, `/stat/<EncodedEntryURI>` and so on: each is a call, and each can be part of a batch. */
import { type Condition, encodeBase64Text, formatCondition, type ResponseHeaders } from '@millpond/protocol';
import { metadataPairs } from '../core/metadata.ts';
import { asUsageError } from '../core/usage-error.ts';
import { entryOf } from './entry.ts';
import type { StorageClassNumber } from './records.ts';

export interface MetadataChange {
  readonly mimeType?: string | undefined;
  /** Names without their prefix; an empty value removes the entry. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Headers that downloads carry from now on; an empty value removes the header. */
  readonly responseHeaders?: ResponseHeaders | undefined;
  /** Only if the object still meets it. */
  readonly condition?: Condition | undefined;
}

/** Days after the upload; -1 removes the rule, 0 or nothing leaves it. */
export interface ObjectLifecycle {
  readonly toIAAfterDays?: number;
  readonly toArchiveAfterDays?: number;
  readonly toDeepArchiveAfterDays?: number;
  readonly deleteAfterDays?: number;
  readonly condition?: Condition;
}

const cond = (condition: Condition | undefined) =>
  condition === undefined ? '' : `/cond/${encodeBase64Text(asUsageError(() => formatCondition(condition)))}`;

export const operations = {
  stat: (bucket: string, key: string) => `/stat/${entryOf(bucket, key)}`,
  delete: (bucket: string, key: string) => `/delete/${entryOf(bucket, key)}`,
  copy: (from: ObjectRef, to: ObjectRef, force = false) => relocation('copy', from, to, force),
  move: (from: ObjectRef, to: ObjectRef, force = false) => relocation('move', from, to, force),
  changeType: (bucket: string, key: string, type: StorageClassNumber) =>
    `/chtype/${entryOf(bucket, key)}/type/${type}`,
  changeStatus: (bucket: string, key: string, isDisabled: boolean, condition?: Condition) =>
    `/chstatus/${entryOf(bucket, key)}/status/${isDisabled ? 1 : 0}${cond(condition)}`,
  deleteAfterDays: (bucket: string, key: string, days: number) =>
    `/deleteAfterDays/${entryOf(bucket, key)}/${days}`,
  lifecycle: (bucket: string, key: string, { condition, ...days }: ObjectLifecycle) =>
    `/lifecycle/${entryOf(bucket, key)}${Object.entries(days)
      .map(([name, count]) => `/${name}/${count}`)
      .join('')}${cond(condition)}`,
  restore: (bucket: string, key: string, days: number) =>
    `/restoreAr/${entryOf(bucket, key)}/freezeAfterDays/${days}`,
  changeMetadata: (metaPrefix: string, bucket: string, key: string, change: MetadataChange) =>
    [
      `/chgm/${entryOf(bucket, key)}`,
      change.mimeType === undefined ? '' : `/mime/${encodeBase64Text(change.mimeType)}`,
      ...metadataPairs({ metaPrefix }, change).map(([name, value]) => `/${name}/${encodeBase64Text(value)}`),
      cond(change.condition),
    ].join(''),
} as const;

export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
}

function relocation(word: 'copy' | 'move', from: ObjectRef, to: ObjectRef, force: boolean): string {
  const entries = `${entryOf(from.bucket, from.key)}/${entryOf(to.bucket, to.key)}`;
  return `/${word}/${entries}${force ? '/force/true' : ''}`;
}
