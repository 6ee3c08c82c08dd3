/** One task: what became of it, when, and if it failed, why and what helps. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { useSession } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { Copy } from '../../../ui/copy.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Screen } from '../../../ui/screen.tsx';
import type { TaskView } from '../search.ts';
import { firstItem, isOver, pipelineName } from '../task-facts.ts';
import styles from '../tasks.module.css';
import { Facts } from './facts.tsx';
import { Head } from './head.tsx';
import { ItemPanel } from './item-panel.tsx';
import { Results } from './results.tsx';
import { SameCause } from './same-cause.tsx';
import { TaskActions } from './task-acts.tsx';
import { TaskCommands } from './task-commands.tsx';
import { Timeline } from './timeline.tsx';
import { Trace } from './trace.tsx';

const LIVE_MS = 1_500;

export const TaskScreen = createLazyRoute('/shell/tasks/$id')({ component: Task });

function Task() {
  const say = useTranslations('tasks');
  // Of its stages: words that came only with them would take the whole screen away for a moment.
  useTranslations('commands');
  const { client, account } = useSession();
  const { id } = TaskScreen.useParams();
  const found = useQuery({
    queryKey: ['tasks', account, 'one', id],
    queryFn: ({ signal }) => client.processing.task(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOver(data) ? false : LIVE_MS),
  });
  const task = found.data;
  return (
    <Screen
      title={shortId(id)}
      crumbs={
        <>
          <Link to="/tasks" search={(was) => ({ account: was.account })}>
            {say('title')}
          </Link>
          <span className="separator">/</span>
          {task !== undefined && (
            <>
              <Link
                className="desktop-only"
                to="/tasks"
                search={(was) => ({ account: was.account, pipeline: task.pipeline })}
              >
                {pipelineName(task.pipeline)}
              </Link>
              <span className="separator desktop-only">/</span>
            </>
          )}
        </>
      }
      facts={<Copy text={id} label={say('copyId')} />}
      acts={task === undefined ? undefined : <TaskActions task={task} />}
    >
      {found.isError && (
        <div className={styles.padded}>
          <Failure error={found.error} what={say('detail.failed')} again={() => void found.refetch()} />
        </div>
      )}
      {task !== undefined && <Detail task={task} />}
    </Screen>
  );
}

function Detail({ task }: { readonly task: OwnTaskRecord }) {
  const navigate = useNavigate();
  const { item = firstItem(task), view = 'timeline' } = TaskScreen.useSearch();
  const at = Math.min(item, task.items.length - 1);
  const show = (change: { item?: number; view?: TaskView }) =>
    void navigate({
      to: '/tasks/$id',
      params: { id: task.id },
      search: (was) => ({ ...was, ...change }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className={styles.taskLayout}>
      <div className={styles.taskMain}>
        <Head task={task} />
        <Timeline
          task={task}
          item={at}
          view={view}
          choose={(chosen) => show({ item: chosen })}
          show={(chosen) => show({ view: chosen })}
        />
        <ItemPanel task={task} at={at} />
        <Trace task={task} />
      </div>
      <aside className={styles.taskAside}>
        <Facts task={task} />
        <SameCause task={task} />
        <Results task={task} />
        <TaskCommands task={task} />
      </aside>
    </div>
  );
}

/** `z0.6afa2cac…0d9170a6` */
function shortId(id: string): string {
  return id.length <= 24 ? id : `${id.slice(0, 11)}…${id.slice(-8)}`;
}
