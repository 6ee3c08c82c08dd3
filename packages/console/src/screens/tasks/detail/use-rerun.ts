/** Submits a task again, and goes to the new one. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { useMessages } from '../../../ui/messages.tsx';

export function useRerun() {
  const say = useTranslations('tasks');
  const client = useClient();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const tell = useMessages();
  const [waits, setWaits] = useState(false);
  const follow = async (submit: () => Promise<string>) => {
    setWaits(true);
    try {
      const id = await submit();
      void queries.invalidateQueries({ queryKey: ['tasks'] });
      tell({ words: say('rerun.done') });
      await navigate({ to: '/tasks/$id', params: { id }, search: (was) => ({ account: was.account }) });
    } finally {
      setWaits(false);
    }
  };
  return { waits, follow, rerun: (id: string) => follow(() => client.processing.rerun(id)) };
}
