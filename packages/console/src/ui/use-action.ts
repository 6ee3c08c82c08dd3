/**
 * What a person does with one click or one form: it is pending, it fails in the server's words, or it is done; then it says so,
 * offers to take it back, and reads again what it changed.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from '../lib/words.ts';
import { useMessages } from './messages.tsx';

type QueryKey = readonly unknown[];

export interface ActionOptions<Input, Output> {
  readonly act: (input: Input) => Promise<Output>;
  /** The message once it is done. Without one the screen shows by itself that it is. */
  readonly done?: (output: Output, input: Input) => string | undefined;
  /** Takes it back: a button of that message. */
  readonly undo?: (input: Input, output: Output) => Promise<unknown>;
  /** What it changes, also when it is taken back, or fails halfway. */
  readonly renews?: readonly QueryKey[] | undefined;
  /** Happens before what it changed is read again: closes a dialog, goes to what was made. */
  readonly after?: (output: Output, input: Input) => unknown;
  /** Where a failure is told. `inline`: the screen shows `error` where the fault is. */
  readonly failure?: 'message' | 'inline' | undefined;
  /** The input or the output holds a secret: nothing is kept of either once the screen is gone. */
  readonly isSecret?: boolean;
}

export interface Action<Input, Output> {
  readonly isPending: boolean;
  /** Of the last attempt. */
  readonly error: Error | null;
  /** The input of the last attempt: which of many rows is pending, for one. */
  readonly input: Input | undefined;
  readonly output: Output | undefined;
  /** Never rejects: a failure is told. Resolves to whether it is done. */
  readonly run: (input: Input) => Promise<boolean>;
  /** The same, but rejects: for a dialog, which shows the failure and stays open. */
  readonly attempt: (input: Input) => Promise<Output>;
  /** Forgets the last attempt. */
  readonly reset: () => void;
}

export function useAction<Input = void, Output = unknown>({
  act,
  done,
  undo,
  renews = [],
  after,
  failure = 'message',
  isSecret = false,
}: ActionOptions<Input, Output>): Action<Input, Output> {
  const say = useTranslations('common');
  const queries = useQueryClient();
  const tell = useMessages();
  const renew = () => Promise.all(renews.map((queryKey) => queries.invalidateQueries({ queryKey })));
  const tellFailure = (error: Error) => tell({ words: error.message, state: 'bad' });
  const takeBack = (input: Input, output: Output) => {
    undo?.(input, output).then(renew, tellFailure);
  };
  const {
    isPending,
    error,
    variables,
    data,
    mutateAsync: attempt,
    reset,
  } = useMutation({
    mutationFn: act,
    ...(isSecret && { gcTime: 0 }),
    onSuccess(output, input) {
      const words = done?.(output, input);
      if (words !== undefined)
        tell(
          undo === undefined
            ? { words }
            : { words, act: { words: say('undo'), do: () => takeBack(input, output) } },
        );
      after?.(output, input);
    },
    onError(refusal) {
      if (failure === 'message') tellFailure(refusal);
    },
    onSettled: renew,
  });
  const run = (input: Input) =>
    attempt(input).then(
      () => true,
      () => false,
    );
  return { isPending, error, input: variables, output: data, run, attempt, reset };
}
