/** What clients did and what they were told. Times are milliseconds since 1970, from one machine. */

/** Unknown: the connection broke or the server failed, so the write may have taken effect or may yet do so. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

export interface Write {
  readonly key: string;
  readonly hash: string;
  readonly size: number;
  readonly mode: 'insert' | 'overwrite';
  readonly begunAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
}

/** One version of an object that a client saw. */
export interface Read {
  readonly reader: number;
  readonly key: string;
  readonly hash: string;
  readonly putTime: bigint;
  readonly begunAt: number;
  readonly endedAt: number;
}

export function byKey<T extends { readonly key: string }>(entries: readonly T[]): Map<string, T[]> {
  const grouped = new Map<string, T[]>();
  for (const entry of entries) {
    const group = grouped.get(entry.key);
    if (group === undefined) grouped.set(entry.key, [entry]);
    else group.push(entry);
  }
  return grouped;
}
