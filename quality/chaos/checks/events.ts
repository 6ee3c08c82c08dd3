/**
 * Whether events kept their promises: none lost, none made up, in order per entity, and duplicates only of what was in
 * flight. Pure.
 */
import type { Findings } from '../report.ts';

export interface AddedEvent {
  readonly id: string;
  readonly entity: string;
  readonly body: string;
  readonly sequence: number;
  /** Unknown: the answer to the commit was lost. */
  readonly outcome: 'committed' | 'unknown';
}

export interface Arrival {
  readonly id: string;
  readonly entity: string;
  readonly sequence: number;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a process has in flight when it is killed arrived at most as long ago as an attempt and its settlement take. */
const IN_FLIGHT_MS = 15_000;

/** `kills`: when something was killed. Returns how many arrived more than once. */
export function checkEvents(
  added: readonly AddedEvent[],
  arrivals: readonly Arrival[],
  kills: readonly number[],
  findings: Findings,
): number {
  const known = new Map(added.map((event) => [event.id, event]));
  const times = new Map<string, number[]>();
  const last = new Map<string, number>();
  for (const { id, entity, sequence, body, at } of arrivals) {
    const event = known.get(id);
    if (event === undefined) findings.add('uncommitted', `${id} arrived, but nobody added it`);
    else if (event.body !== body || event.entity !== entity)
      findings.add('torn', `${id} arrived with different content`);
    const before = times.get(id);
    const previous = last.get(entity) ?? 0;
    if (before !== undefined) {
      before.push(at);
      // It holds its lane until its success is recorded, so nothing can have overtaken it.
      if (sequence < previous)
        findings.add('stale', `${entity}: ${sequence} arrived again after ${previous}`);
      continue;
    }
    times.set(id, [at]);
    if (sequence !== previous + 1) findings.add('stale', `${entity}: ${sequence} arrived after ${previous}`);
    last.set(entity, Math.max(previous, sequence));
  }
  for (const { id, outcome } of added)
    if (outcome === 'committed' && !times.has(id)) findings.add('lost', `${id} never arrived`);
  return checkRepeated(times, kills, findings);
}

/** `times`: when each event arrived, by its id. Returns how many arrived more than once. */
export function checkRepeated(
  times: ReadonlyMap<string, readonly number[]>,
  kills: readonly number[],
  findings: Findings,
): number {
  const repeated = [...times].filter(([, each]) => each.length > 1);
  for (const [id, each] of repeated)
    for (const at of each.slice(0, -1))
      if (!kills.some((kill) => kill >= at - 1000 && kill <= at + IN_FLIGHT_MS))
        findings.add('duplicated', `${id} arrived again, but nothing was killed after the first arrival`);
  return repeated.length;
}
