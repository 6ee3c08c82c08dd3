/** Whether the events of a bucket are those of the changes that were made: each once, and in order for each key. Pure. */
import type { Arrived } from './receiver.ts';
import type { ExpectedEvent } from './state.ts';

export interface EventCheck {
  /** More may still arrive. */
  readonly isWaiting: boolean;
  /** In words. */
  readonly fault: string | undefined;
}

/** An event may arrive more than once, with the same id. */
export function checkTold(
  expected: ReadonlyMap<string, readonly ExpectedEvent[]>,
  arrivals: readonly Arrived[],
): EventCheck {
  const firsts = [...new Map(arrivals.toReversed().map((each) => [each.id, each])).values()].toReversed();
  const keys = new Set([...expected.keys(), ...firsts.map(({ key }) => key)]);
  let isWaiting = false;
  for (const key of keys) {
    const came = firsts.filter((each) => each.key === key);
    const told = expected.get(key) ?? [];
    const fault = differenceIn(told, came);
    if (fault === undefined) continue;
    if (fault !== 'missing') return { isWaiting: false, fault: `events of ${key}: ${fault}` };
    isWaiting = true;
  }
  return { isWaiting, fault: isWaiting ? 'events are missing' : undefined };
}

function differenceIn(told: readonly ExpectedEvent[], came: readonly Arrived[]): string | undefined {
  let at = 0;
  for (const each of told) {
    const next = came[at];
    if (next !== undefined && isOf(next, each)) at++;
    else if (each.isSure)
      return next === undefined ? 'missing' : `${wordsOf(next)} instead of ${wordsOf(each)}`;
  }
  const surplus = came[at];
  return surplus && `${wordsOf(surplus)}, which nobody caused`;
}

function isOf(came: Arrived, expected: ExpectedEvent): boolean {
  return wordsOf(came) === wordsOf(expected);
}

function wordsOf({
  event,
  way,
  hash,
  previous,
}: Pick<ExpectedEvent, 'event' | 'way' | 'hash' | 'previous'>): string {
  return `${event} by ${way} of ${hash} after ${previous}`;
}
