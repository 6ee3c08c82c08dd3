/** Whether what was deleted stayed deleted. Pure. */
import type { Findings } from '../report.ts';
import type { Write } from './history.ts';

export interface Removal {
  readonly key: string;
  /** Unknown: it may have taken effect. */
  readonly outcome: 'acknowledged' | 'unknown';
}

/** Returns the writes that must still be there: those whose keys nobody tried to delete. */
export function checkRemovals(
  removals: readonly Removal[],
  writes: readonly Write[],
  found: ReadonlyMap<string, unknown>,
  findings: Findings,
): Write[] {
  for (const { key, outcome } of removals)
    if (outcome === 'acknowledged' && found.has(key))
      findings.add('lost', `${key} is there, but its deletion was acknowledged`);
  const removed = new Set(removals.map(({ key }) => key));
  return writes.filter(({ key }) => !removed.has(key));
}
