/** What a server that does one thing after the other would hold and answer. Pure. */
import type { Answer, Held, Operation } from './operations.ts';

export type State = readonly Held[];

/** Undefined: in this state the operation can't have been answered so. */
export function after(state: State, operation: Operation, answer: Answer): State | undefined {
  if (operation.kind === 'list') return sameStates(state, sawOf(answer)) ? state : undefined;
  const held = state[operation.key];
  if (operation.kind === 'read') return sameHeld(held, sawOf(answer)[0]) ? state : undefined;
  const [told, next] = write(state, held, operation);
  return answer === told || answer === 'unknown' ? next : undefined;
}

function write(
  state: State,
  held: Held,
  operation: Exclude<Operation, { kind: 'list' | 'read' }>,
): [Answer, State] {
  const { kind, key } = operation;
  if (kind === 'put') {
    // The same content again is no conflict: a client that got no answer may repeat itself.
    if (operation.isInsert && held !== undefined && held.hash !== operation.hash) return ['exists', state];
    return ['done', state.with(key, { hash: operation.hash, mark: '' })];
  }
  if (held === undefined) return ['absent', state];
  if (kind === 'delete') return ['done', state.with(key, undefined)];
  if (kind === 'mark') {
    if (held.hash !== operation.hash) return ['mismatch', state];
    return ['done', state.with(key, { ...held, mark: operation.mark })];
  }
  const { to, isForced } = operation;
  if (!isForced && state[to] !== undefined) return ['exists', state];
  const copied = state.with(to, held);
  return ['done', kind === 'move' ? copied.with(key, undefined) : copied];
}

function sawOf(answer: Answer): readonly Held[] {
  return typeof answer === 'string' ? [] : answer.saw;
}

function sameHeld(one: Held, other: Held): boolean {
  return one?.hash === other?.hash && one?.mark === other?.mark;
}

export function sameStates(one: State, other: State): boolean {
  return one.length === other.length && one.every((held, key) => sameHeld(held, other[key]));
}
