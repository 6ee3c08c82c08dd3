/** A change of a setting: said when it is done, and the setting is read again. What is refused stays beside its fields. */
import { type Action, useAction } from '../../ui/use-action.ts';

export function useChange<Value>({
  change,
  done,
  renews,
}: {
  readonly change: (value: Value) => Promise<unknown>;
  /** What is said then. */
  readonly done: (value: Value) => string;
  /** Keys of what it changes. */
  readonly renews: readonly (readonly unknown[])[];
}): Action<Value, unknown> {
  return useAction({ act: change, done: (_output, value: Value) => done(value), renews, failure: 'inline' });
}
