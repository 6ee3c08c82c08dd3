/** What the clients of an upgrade were told. */
import type { Read } from '../checks/history.ts';
import type { Removal } from '../checks/removals.ts';
import type { Ledger } from '../load/writers.ts';
import type { ServedAttempt } from './not-vacuous.ts';

export interface UpgradeRecord extends Ledger {
  /** Attempts of requests that change something, and of those that don't. */
  readonly changing: ServedAttempt[];
  readonly reading: ServedAttempt[];
  /** Objects that were acknowledged and that nobody changes any more. */
  readonly kept: RecordedObject[];
  readonly removals: Removal[];
  readonly reads: Read[];
  /** Ids of tasks, keys of their results, and keys of uploads with a callback, that were acknowledged. */
  readonly tasks: string[];
  readonly results: string[];
  readonly called: string[];
}

export interface RecordedObject {
  readonly key: string;
  readonly hash: string;
  readonly size: number;
  /** When it was acknowledged. */
  readonly at: number;
}

export function createUpgradeRecord(): UpgradeRecord {
  const lists = { writes: [], changing: [], reading: [], kept: [], removals: [], reads: [] };
  return { ...lists, tasks: [], results: [], called: [], answers: new Map() };
}
