/** What the server shows of an object, and how it differs from what the model holds. */
import { isArchive, type ModelObject } from './state.ts';

/** The record of `stat` and of lists. */
export interface ObservedObject {
  readonly fsize: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly type: number;
  readonly putTime: bigint;
  readonly restoreStatus: number | undefined;
  readonly expires: boolean;
  readonly meta: Readonly<Record<string, string>>;
  readonly caching: string;
}

interface WireRecord {
  readonly key?: string;
  readonly fsize: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly type: number;
  readonly putTime: string;
  readonly restoreStatus?: number;
  readonly expiration?: number;
  readonly 'x-svc-meta'?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** How long the restore of a deep-archive object takes, in the run's own time. */
const DEEP_RESTORE_MS = 5000;

/** JSON in which the one number that a JavaScript number can't hold is a text. */
export function parseWire<T>(text: string): T {
  return JSON.parse(text.replaceAll(/"putTime":(\d+)/g, '"putTime":"$1"')) as T;
}

export function shownIn(record: WireRecord): ObservedObject {
  const { fsize, hash, mimeType, type, putTime, restoreStatus, expiration } = record;
  return {
    fsize,
    hash,
    mimeType,
    type,
    restoreStatus,
    putTime: BigInt(putTime),
    expires: expiration !== undefined,
    meta: record['x-svc-meta'] ?? {},
    caching: record.responseHeaders?.['Cache-Control'] ?? '',
  };
}

/** In words; undefined if nothing differs. A list does not show restores. */
export function difference(
  held: ModelObject | undefined,
  observed: ObservedObject | undefined,
  view: 'stat' | 'list' = 'stat',
): string | undefined {
  if (held === undefined || observed === undefined) {
    if (held === observed) return undefined;
    return held === undefined ? `an object of ${observed?.fsize} B that should not be there` : 'no object';
  }
  const pairs: [string, unknown, unknown][] = [
    ['hash', held.hash, observed.hash],
    ['fsize', held.content.bytes.length, observed.fsize],
    ['mimeType', held.mimeType, observed.mimeType],
    ['type', held.type, observed.type],
    ['metadata', pairsText(held.meta), pairsText(observed.meta)],
    ['Cache-Control', held.caching, observed.caching],
    ['expires', held.expires, observed.expires],
    ['putTime', held.putTime ?? observed.putTime, observed.putTime],
  ];
  const wrong = pairs.find(([, expected, found]) => expected !== found);
  if (held.putTime === undefined && observed.putTime <= held.laterThan)
    return `putTime ${observed.putTime}, not later than ${held.laterThan}`;
  if (wrong !== undefined) return `${wrong[0]} ${String(wrong[2])} instead of ${String(wrong[1])}`;
  if (view === 'list' || restoreFits(held, observed.restoreStatus)) return undefined;
  return `restoreStatus ${observed.restoreStatus} of an object that is ${JSON.stringify(held.restore)}`;
}

function restoreFits(held: ModelObject, status: number | undefined): boolean {
  if (!isArchive(held) || held.restore === 'frozen') return status === undefined;
  if (held.restore === 'restored') return status === 2;
  return status === 1 || (status === 2 && isRestoreDue(held));
}

/** Whether the restore of an object may have ended by now. */
function isRestoreDue({ type, restore }: ModelObject): boolean {
  if (typeof restore === 'string') return restore === 'restored';
  return type === 2 || Date.now() - restore.askedAt >= DEEP_RESTORE_MS;
}

function pairsText(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('&');
}
