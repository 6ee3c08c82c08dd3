/** What can be done with a task: cancel it while it lasts, run it again once it is over. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { isOver, isShared } from '../task-facts.ts';
import styles from '../tasks.module.css';
import { useRerun } from './use-rerun.ts';

export function TaskActions({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useMessages();
  const { rerun, follow, waits } = useRerun();
  const [isAsked, setAsked] = useState(false);
  const over = isOver(task);
  const failed = (error: unknown) =>
    tell({ words: String(error instanceof Error ? error.message : error), state: 'bad' });
  const again = () => void rerun(task.id).catch(failed);
  useShortcuts(over ? { r: again } : {});
  const fops = task.items.map(({ cmd }) => cmd).join(';');
  const force = () =>
    client.processing.submit({
      bucket: task.inputBucket,
      key: task.inputKey,
      fops,
      force: true,
      ...(isShared(task.pipeline) ? {} : { pipeline: task.pipeline }),
    });
  const cancel = async () => {
    await client.processing.cancel(task.id);
    tell({ words: say('cancel.done') });
    await queries.invalidateQueries({ queryKey: ['tasks'] });
  };
  return (
    <>
      <Button
        kind="ghost"
        className={styles.taskCancel}
        disabled={over}
        title={over ? say('cancel.over') : undefined}
        onClick={() => setAsked(true)}
      >
        {say('cancel.act')}
      </Button>
      <span className="split">
        <Button
          icon={<RotateCw className="icon" aria-hidden />}
          letter="R"
          disabled={!over}
          waits={waits}
          onClick={again}
        >
          {say('rerun.act')}
        </Button>
        <Menu
          className="button"
          label={say('rerun.more')}
          icon={<ChevronDown className="icon" aria-hidden />}
          items={[
            { words: say('rerun.force'), do: () => void follow(force).catch(failed) },
            {
              words: say('rerun.builder'),
              do: () =>
                void navigate({
                  to: '/commands' as '/',
                  search: ((was: { account?: number }) => ({
                    account: was.account,
                    bucket: task.inputBucket,
                    key: task.inputKey,
                    command: task.items[0]?.cmd,
                  })) as never,
                }),
            },
          ]}
        />
      </span>
      <Confirm
        title={say('cancel.title')}
        act={say('cancel.act')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        onConfirm={cancel}
      >
        <p>{say('cancel.words')}</p>
      </Confirm>
    </>
  );
}
