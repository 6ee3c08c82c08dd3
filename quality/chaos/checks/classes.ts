/**
 * Compares the classes of objects with what clients were told, and the tiers of their bytes with the classes. Each key
 * has one client, so its possible states are known: the last acknowledged one, or one of the unknown changes after it.
 */
import type { Findings } from '../report.ts';
import type { Outcome } from './history.ts';

/** Keys and the classes they may have now. */
export type PossibleClasses = Map<string, Set<number>>;

export function noteClass(
  possible: PossibleClasses,
  key: string,
  storageClass: number,
  outcome: Outcome,
): void {
  if (outcome === 'refused') return;
  if (outcome === 'acknowledged') possible.set(key, new Set([storageClass]));
  else possible.set(key, (possible.get(key) ?? new Set<number>()).add(storageClass));
}

export interface PlacedObject {
  readonly key: string;
  readonly class: number;
  readonly blob_id: string;
}

export function checkClasses(
  objects: readonly PlacedObject[],
  cold: ReadonlySet<string>,
  possible: PossibleClasses,
  findings: Findings,
): void {
  for (const { key, class: storageClass, blob_id } of objects) {
    if (possible.get(key)?.has(storageClass) === false)
      findings.add(
        'lost',
        `${key} has class ${storageClass}, it may have ${[...(possible.get(key) ?? [])].join(' or ')}`,
      );
    if (cold.has(blob_id) !== storageClass >= 2)
      findings.add('misplaced', `${key} has class ${storageClass}, blob ${blob_id} is in the other tier`);
  }
}
