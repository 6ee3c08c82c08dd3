/** Other tasks that failed for the same reason within a day, and one act that runs them all again. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { shortTime } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { causeKey, firstItem } from '../task-facts.ts';
import styles from '../tasks.module.css';

const DAY_MS = 86_400_000;
const MOST_READ = 200;
const MOST_SHOWN = 5;

export function SameCause({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const { client, account, serverNow } = useSession();
  const queries = useQueryClient();
  const tell = useMessages();
  const [isAsked, setAsked] = useState(false);
  const cause = causeKey(task);
  const at = Date.parse(task.creationDate);
  const found = useQuery({
    queryKey: ['tasks', account, 'same-cause', task.id],
    enabled: task.code === 3 && cause !== undefined,
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const from = new Date(at - DAY_MS).toISOString();
      const to = new Date(at + DAY_MS).toISOString();
      const { items } = await client.processing.taskPage({
        state: 'failed',
        from,
        to,
        limit: MOST_READ,
        signal,
      });
      return items.filter((other) => other.id !== task.id && causeKey(other) === cause);
    },
  });
  const others = found.data ?? [];
  if (others.length === 0) return null;
  const rerunAll = async () => {
    // One after the other: a server that refuses one says why, and the rest is left as it is.
    for (const { id } of [task, ...others]) await client.processing.rerun(id);
    tell({ words: say('same.done', { count: others.length + 1 }) });
    await queries.invalidateQueries({ queryKey: ['tasks'] });
  };
  return (
    <section>
      <div className="section-head">
        <h2>{say('same.title')}</h2>
        <span className="quiet text-small">{say('same.count', { count: others.length })}</span>
        <Link className="link end" to="/tasks" search={(was) => ({ account: was.account, state: 'failed' })}>
          {say('same.show')}
        </Link>
      </div>
      <ul className={styles.miniList}>
        {others.slice(0, MOST_SHOWN).map((other) => (
          <li key={other.id}>
            <StatusMark state="bad" />
            <Link
              className="mono truncate"
              to="/tasks/$id"
              params={{ id: other.id }}
              search={(was) => ({ account: was.account, item: firstItem(other) })}
              title={`${other.inputBucket}:${other.inputKey}`}
            >
              {other.inputKey.slice(other.inputKey.lastIndexOf('/') + 1) || other.inputKey}
            </Link>
            <span className="quiet text-small tabular end nowrap">
              {shortTime(other.creationDate, serverNow())}
            </span>
          </li>
        ))}
      </ul>
      <Button icon={<RotateCw className="icon" aria-hidden />} onClick={() => setAsked(true)}>
        {say('same.rerun', { count: others.length + 1 })}
      </Button>
      <Confirm
        title={say('same.rerun', { count: others.length + 1 })}
        act={say('rerun.act')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        onConfirm={rerunAll}
      >
        <p>{say('same.words')}</p>
      </Confirm>
    </section>
  );
}
