/** What failed in the last 30 days, newest first, whatever it was; each with its cause and what can be done about it. */
import { Fault, type WirePage, type WireRecord } from '@millpond/protocol';
import type { FailureCursor, FailureRow, FailureStore } from './failure.store.ts';
import type { Scope } from './overview.store.ts';

type Failure = WireRecord<'Failure'>;

/** Later than any. */
const NEWEST: FailureCursor = { at: 9_000_000_000_000_000n, id: '' };
const ACTS: Readonly<Record<string, Failure['act']>> = {
  task: 'rerun',
  callback: 'resend',
  notification: 'resend',
  stream: 'resend',
  event: 'resend',
  fetch: 'again',
  bulk: 'again',
};

export class Failures {
  readonly #store: FailureStore;

  constructor(store: FailureStore) {
    this.#store = store;
  }

  async page(scope: Scope, marker: string | undefined, limit: number): Promise<WirePage<'Failure'>> {
    const place = marker === undefined ? NEWEST : placeOf(marker);
    const rows = (await this.#store.newest(scope, place, limit + 1)).toSorted(newestFirst);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const isLast = rows.length <= limit || last === undefined;
    return { items: shown.map(failureJson), ...(isLast ? {} : { marker: markerOf(last) }) };
  }
}

function newestFirst(a: FailureRow, b: FailureRow): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  return a.id > b.id ? -1 : 1;
}

function failureJson({ at, what, id, uid, entry, words, cause_kind, cause_id, item }: FailureRow): Failure {
  return {
    at: new Date(Number(at / 1000n)).toISOString(),
    what: what as Failure['what'],
    id,
    ...(uid === null ? {} : { uid: Number(uid) }),
    ...(entry === null ? {} : { entry }),
    words: words ?? '',
    cause: { kind: cause_kind as Failure['cause']['kind'], id: cause_id, ...(item === null ? {} : { item }) },
    act: ACTS[what] ?? null,
  };
}

function markerOf({ at, id }: FailureCursor): string {
  return `${at}-${id}`;
}

function placeOf(marker: string): FailureCursor {
  const [, at, id] = /^(\d{1,16})-([\w.:-]{1,200})$/.exec(marker) ?? [];
  if (at === undefined || id === undefined)
    throw new Fault('invalidArgument', { hint: 'the marker is not one of ours' });
  return { at: BigInt(at), id };
}
