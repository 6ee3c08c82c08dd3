/** An act on templates or triggers: waits, fails, or is done and shown. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

interface State {
  readonly waits: boolean;
  readonly error?: unknown;
}

export function useTemplatesAct(): {
  readonly state: State;
  readonly run: (act: () => Promise<unknown>) => Promise<void>;
} {
  const queries = useQueryClient();
  const [state, setState] = useState<State>({ waits: false });
  const run = async (act: () => Promise<unknown>) => {
    setState({ waits: true });
    try {
      await act();
      setState({ waits: false });
      await queries.invalidateQueries({ queryKey: ['templates'] });
    } catch (error) {
      setState({ waits: false, error });
    }
  };
  return { state, run };
}
