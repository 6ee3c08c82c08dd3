/** A change of a setting: said when it is done, and the setting is read again. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMessages } from '../../ui/messages.tsx';

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
}) {
  const queries = useQueryClient();
  const tell = useMessages();
  return useMutation({
    mutationFn: change,
    async onSuccess(_answer, value) {
      tell({ words: done(value) });
      await Promise.all(renews.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
}
