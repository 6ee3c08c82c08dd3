/** What can be done with a task: cancel it while it lasts, run it again once it is over. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { isOver, isShared } from '../task-facts.ts';
import styles from '../tasks.module.css';
import { useRerun } from './use-rerun.ts';

export function TaskActions({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const client = useClient();
  const navigate = useNavigate();
  const { rerun, follow, isPending } = useRerun();
  const [isAsked, setAsked] = useState(false);
  const over = isOver(task);
  const again = () => void rerun(task.id);
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
  const cancel = useAction({
    act: () => client.processing.cancel(task.id),
    done: () => say('cancel.done'),
    renews: [['tasks']],
    failure: 'inline',
  });
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
          waits={isPending}
          onClick={again}
        >
          {say('rerun.act')}
        </Button>
        <Menu
          className="button"
          label={say('rerun.more')}
          icon={<ChevronDown className="icon" aria-hidden />}
          items={[
            { words: say('rerun.force'), do: () => void follow(force) },
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
        onConfirm={() => cancel.attempt()}
      >
        <p>{say('cancel.words')}</p>
      </Confirm>
    </>
  );
}
