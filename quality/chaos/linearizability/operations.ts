/** What clients do with a few keys at the same time, and what they were told. The keys are numbered from 0. */

/** What an object has of itself: its content's hash, and the mark that a change of its type left. */
export interface Value {
  readonly hash: string;
  readonly mark: string;
}

/** Value of a key; undefined if there is no such object. */
export type ObjectValue = Value | undefined;

export type Operation =
  | { readonly kind: 'put'; readonly key: number; readonly hash: string; readonly isInsert: boolean }
  /** A change on the condition that the content is still this. */
  | { readonly kind: 'mark'; readonly key: number; readonly hash: string; readonly mark: string }
  | { readonly kind: 'delete'; readonly key: number }
  | {
      readonly kind: 'copy' | 'move';
      readonly key: number;
      readonly to: number;
      readonly isForced: boolean;
    }
  | { readonly kind: 'read'; readonly key: number }
  /** All keys at once. */
  | { readonly kind: 'list' };

/** Unknown: no answer, or one that leaves it open. It may have taken effect, or do so at any time from its begin on. */
export type OperationResult =
  | 'done'
  | 'absent'
  | 'exists'
  | 'mismatch'
  | 'unknown'
  | { readonly saw: readonly ObjectValue[] };

export interface Entry {
  readonly operation: Operation;
  readonly answer: OperationResult;
  /** Milliseconds of one clock. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** Whom it was sent to: for people. */
  readonly at: string;
}

/** In words, for people. */
export function describeEntry({ operation, answer, begunAt, endedAt, at }: Entry): string {
  const { kind, ...rest } = operation;
  const told = typeof answer === 'string' ? answer : JSON.stringify(answer.saw.map((value) => value ?? null));
  return `${begunAt.toFixed(1)}–${endedAt.toFixed(1)} at ${at}: ${kind} ${JSON.stringify(rest)}: ${told}`;
}
