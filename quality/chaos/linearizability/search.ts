/**
 * Whether a history can have come from a server that did one thing after the other, each at some moment between its begin and
 * its end. Walks through the begins and ends in the order of time with everything that may have happened so far: a state, and
 * which of the open operations have taken effect in it. When an operation ends, it must have.
 */
import { after, type State } from './objects.ts';
import type { Entry } from './operations.ts';

export interface Searched {
  /**
   * States that may be there after the last end; without one the history is not linearizable. Where outcomes are unknown there
   * may be others.
   */
  readonly states: readonly State[];
  /** The first end that nothing explains. */
  readonly unexplained?: Entry;
}

/** What may have happened. */
interface Possibility {
  readonly state: State;
  /** Those of the open operations that have taken effect, by their places in the history. */
  readonly effective: ReadonlySet<number>;
}

/**
 * An operation whose outcome is unknown may have taken effect anywhere, or nowhere, which multiplies what may have happened. Most
 * never did: first they are only thought of where nothing else explains an answer. What is found so is right; only what is not
 * found is looked for everywhere.
 */
export function search(history: readonly Entry[], begin: State): Searched {
  const quick = walk(history, begin, true);
  return quick.unexplained === undefined ? quick : walk(history, begin, false);
}

function walk(history: readonly Entry[], begin: State, isQuick: boolean): Searched {
  let possibilities: Possibility[] = [{ state: begin, effective: new Set() }];
  const [known, unknown] = [new Set<number>(), new Set<number>()];
  for (const { place, isEnd } of eventsOf(history)) {
    const isKnown = history[place]?.answer !== 'unknown';
    if (!isEnd) {
      (isKnown ? known : unknown).add(place);
      continue;
    }
    const explain = (open: ReadonlySet<number>) =>
      distinct(possibilities.flatMap((each) => [...withEffect(each, place, open, history)]));
    const quickly = isQuick ? explain(known) : [];
    possibilities = quickly.length > 0 ? quickly : explain(new Set([...known, ...unknown]));
    known.delete(place);
    const entry = history[place];
    if (possibilities.length === 0 && entry !== undefined) return { states: [], unexplained: entry };
  }
  // What is open now has no known end: it may have taken effect, or may yet.
  const ends = possibilities.flatMap((each) => [...reachable(each, unknown, history)]);
  return { states: distinctStates(ends) };
}

/** In the order of time; of those at one moment, begins first: they may have overlapped. */
function eventsOf(history: readonly Entry[]) {
  const begins = history.map(({ begunAt }, place) => ({ at: begunAt, place, isEnd: false }));
  const ends = history
    .map(({ endedAt, answer }, place) => ({ at: endedAt, place, isEnd: true, isKnown: answer !== 'unknown' }))
    .filter(({ isKnown }) => isKnown);
  return [...begins, ...ends].toSorted(
    (one, other) => one.at - other.at || Number(one.isEnd) - Number(other.isEnd),
  );
}

/** Everything that may have happened until this operation had taken effect; the operation itself is over then. */
function* withEffect(
  from: Possibility,
  place: number,
  open: ReadonlySet<number>,
  history: readonly Entry[],
): Generator<Possibility> {
  for (const { state, effective } of reachable(from, open, history, place)) {
    if (!effective.has(place)) continue;
    const rest = new Set(effective);
    rest.delete(place);
    yield { state, effective: rest };
  }
}

/** From here by any of the open operations in any order, also by none; not beyond `last`. */
function* reachable(
  from: Possibility,
  open: ReadonlySet<number>,
  history: readonly Entry[],
  last?: number,
): Generator<Possibility> {
  const seen = new Set([nameOf(from)]);
  const waiting = [from];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    yield each;
    if (last !== undefined && each.effective.has(last)) continue;
    for (const place of open) {
      const next = each.effective.has(place) ? undefined : step(each, place, history);
      if (next === undefined || seen.has(nameOf(next))) continue;
      seen.add(nameOf(next));
      waiting.push(next);
    }
  }
}

function step(from: Possibility, place: number, history: readonly Entry[]): Possibility | undefined {
  const entry = history[place];
  const state = entry === undefined ? undefined : after(from.state, entry.operation, entry.answer);
  return state === undefined ? undefined : { state, effective: new Set([...from.effective, place]) };
}

function nameOf({ state, effective }: Possibility): string {
  const held = state.map((value) => (value === undefined ? '' : `${value.hash} ${value.mark}`));
  return `${held.join('|')}#${[...effective].toSorted((one, other) => one - other).join()}`;
}

function distinctStates(possibilities: readonly Possibility[]): State[] {
  const bare = possibilities.map(({ state }) => ({ state, effective: new Set<number>() }));
  return distinct(bare).map(({ state }) => state);
}

function distinct(possibilities: readonly Possibility[]): Possibility[] {
  return [...new Map(possibilities.map((each) => [nameOf(each), each])).values()];
}
