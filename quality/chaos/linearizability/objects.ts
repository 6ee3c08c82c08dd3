/** What a server that does one thing after the other would hold and answer. Pure. */
import type { ObjectValue, Operation, OperationResult } from './operations.ts';

export type State = readonly ObjectValue[];

/** Undefined: in this state the operation can't have been answered so. */
export function after(state: State, operation: Operation, answer: OperationResult): State | undefined {
  if (operation.kind === 'list') return sameStates(state, sawOf(answer)) ? state : undefined;
  const value = state[operation.key];
  if (operation.kind === 'read') return sameHeld(value, sawOf(answer)[0]) ? state : undefined;
  const [told, next] = write(state, value, operation);
  return answer === told || answer === 'unknown' ? next : undefined;
}

function write(
  state: State,
  value: ObjectValue,
  operation: Exclude<Operation, { kind: 'list' | 'read' }>,
): [OperationResult, State] {
  const { kind, key } = operation;
  if (kind === 'put') {
    // The same content again is no conflict: a client that got no answer may repeat itself.
    if (operation.isInsert && value !== undefined && value.hash !== operation.hash) return ['exists', state];
    return ['done', state.with(key, { hash: operation.hash, mark: '' })];
  }
  if (value === undefined) return ['absent', state];
  if (kind === 'delete') return ['done', state.with(key, undefined)];
  if (kind === 'mark') {
    if (value.hash !== operation.hash) return ['mismatch', state];
    return ['done', state.with(key, { ...value, mark: operation.mark })];
  }
  const { to, isForced } = operation;
  if (!isForced && state[to] !== undefined) return ['exists', state];
  const copied = state.with(to, value);
  return ['done', kind === 'move' ? copied.with(key, undefined) : copied];
}

function sawOf(answer: OperationResult): readonly ObjectValue[] {
  return typeof answer === 'string' ? [] : answer.saw;
}

function sameHeld(one: ObjectValue, other: ObjectValue): boolean {
  return one?.hash === other?.hash && one?.mark === other?.mark;
}

export function sameStates(one: State, other: State): boolean {
  return one.length === other.length && one.every((value, key) => sameHeld(value, other[key]));
}
