/** Submits a task again, and goes to the new one. */
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { useAction } from '../../../ui/use-action.ts';

export function useRerun(failure?: 'message' | 'inline') {
  const say = useTranslations('tasks');
  const client = useClient();
  const navigate = useNavigate();
  const { isPending, error, run } = useAction({
    act: (submit: () => Promise<string>) => submit(),
    done: () => say('rerun.done'),
    after: (id) =>
      navigate({ to: '/tasks/$id', params: { id }, search: (was) => ({ account: was.account }) }),
    renews: [['tasks']],
    failure,
  });
  return { isPending, error, follow: run, rerun: (id: string) => run(() => client.processing.rerun(id)) };
}
