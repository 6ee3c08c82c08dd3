import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { after, type State, sameStates } from './objects.ts';
import type { Entry, Operation, OperationResult } from './operations.ts';
import { search } from './search.ts';

const EMPTY: State = [undefined, undefined];
const key = fc.constantFrom(0, 1);
const hash = fc.constantFrom('x', 'y', 'z');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), key, hash, isInsert: fc.boolean() }),
  fc.record({ kind: fc.constant('mark' as const), key, hash, mark: fc.constantFrom('m', 'n') }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc
    .record({ kind: fc.constantFrom('copy' as const, 'move' as const), key, isForced: fc.boolean() })
    .map((each) => ({ ...each, to: 1 - each.key })),
  fc.record({ kind: fc.constant('read' as const), key }),
  fc.constant({ kind: 'list' as const }),
);
/** What a server that does one thing after the other says to each, and what it holds in the end. */
function serve(operations: readonly Operation[]): { answers: OperationResult[]; state: State } {
  let state = EMPTY;
  const answers = operations.map((each): OperationResult => {
    const possible: OperationResult[] = ['done', 'absent', 'exists', 'mismatch'];
    const told = possible.find((answer) => after(state, each, answer) !== undefined);
    const answer =
      told ?? (each.kind === 'list' ? { saw: state } : { saw: [state['key' in each ? each.key : 0]] });
    state = after(state, each, answer) ?? state;
    return answer;
  });
  return { answers, state };
}
const entry = (operation: Operation, answer: OperationResult, begunAt: number, endedAt: number): Entry => ({
  operation,
  answer,
  begunAt,
  endedAt,
  at: 'here',
});
/** By definition: some order that keeps the order of time, with any of the unknown left out. */
function isExplained(history: readonly Entry[], state: State): boolean {
  if (history.every(({ answer }) => answer === 'unknown')) return true;
  return history.some((each, place) => {
    const rest = history.toSpliced(place, 1);
    if (rest.some((other) => other.answer !== 'unknown' && other.endedAt < each.begunAt)) return false;
    const next = after(state, each.operation, each.answer);
    return (
      (next !== undefined && isExplained(rest, next)) ||
      (each.answer === 'unknown' && isExplained(rest, state))
    );
  });
}

describe('histories', () => {
  test('of one thing after the other, seen by clients that overlap, are linearizable, and their end is known', () => {
    const timed = fc.record({
      operation,
      early: fc.integer({ min: 0, max: 25 }),
      late: fc.integer({ min: 0, max: 25 }),
    });
    fc.assert(
      fc.property(fc.array(timed, { maxLength: 25 }), (all) => {
        const { answers, state } = serve(all.map((each) => each.operation));
        const history = all.map(({ operation, early, late }, at) =>
          entry(operation, answers[at] ?? 'unknown', at * 10 - early, at * 10 + late),
        );
        const { states } = search(history, EMPTY);
        expect(states.some((each) => sameStates(each, state))).toBe(true);
      }),
    );
  });

  test('are judged as by trying every order', () => {
    const said: fc.Arbitrary<OperationResult> = fc.constantFrom(
      'done',
      'absent',
      'exists',
      'mismatch',
      'unknown',
    );
    const any = fc
      .record({
        operation,
        said,
        begin: fc.integer({ min: 0, max: 20 }),
        length: fc.integer({ min: 1, max: 9 }),
        seen: fc.option(hash, { nil: undefined }),
      })
      .map(({ operation, said, begin, length, seen }) => {
        const held = seen === undefined ? undefined : { hash: seen, mark: '' };
        const isRead = operation.kind === 'read' || operation.kind === 'list';
        const saw = { saw: operation.kind === 'list' ? [held, undefined] : [held] };
        return entry(operation, isRead ? saw : said, begin, begin + length);
      });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 5 }), (history) => {
        expect(search(history, EMPTY).states.length > 0).toBe(isExplained(history, EMPTY));
      }),
      { numRuns: 2000 },
    );
  });

  test('with a stale read, a lost write, or a write that took effect twice are not', () => {
    const put = (hash: string, at: number) =>
      entry({ kind: 'put', key: 0, hash, isInsert: false }, 'done', at, at + 1);
    const read = (hash: string | undefined, at: number) =>
      entry(
        { kind: 'read', key: 0 },
        { saw: [hash === undefined ? undefined : { hash, mark: '' }] },
        at,
        at + 1,
      );
    const stale = [put('x', 0), put('y', 2), read('x', 4)];
    expect(search(stale, EMPTY)).toEqual({ states: [], unexplained: stale[2] });
    expect(search([put('x', 0), read(undefined, 2)], EMPTY).states).toEqual([]);
    const twice = entry({ kind: 'put', key: 0, hash: 'x', isInsert: false }, 'unknown', 0, 9);
    expect(search([twice, read('x', 1), put('y', 3), read('x', 5)], EMPTY).states).toEqual([]);
    expect(search([twice, put('y', 3), read('x', 5)], EMPTY).states).toHaveLength(1);
  });

  test('that were left open end in every state that they may lead to', () => {
    const open = entry({ kind: 'delete', key: 0 }, 'unknown', 2, 3);
    const put = entry({ kind: 'put', key: 0, hash: 'x', isInsert: true }, 'done', 0, 1);
    const { states } = search([put, open], EMPTY);
    expect(states).toHaveLength(2);
    expect(states).toEqual(expect.arrayContaining([EMPTY, [{ hash: 'x', mark: '' }, undefined]]));
  });
});
