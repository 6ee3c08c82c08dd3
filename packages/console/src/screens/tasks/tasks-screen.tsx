/** The tasks of the account, newest first: what waits, what runs, what failed and why. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Clapperboard } from 'lucide-react';
import { useMemo } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { type Commands, CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import type { TasksSearch } from './search.ts';
import { TaskFilterBar } from './task-filter.tsx';
import { TaskRows } from './task-rows.tsx';
import styles from './tasks.module.css';

const PAGE = 100;
const LIVE_MS = 5_000;
/** While more pages than this are read, only what is asked for anew is. */
const MOST_LIVE_PAGES = 3;

export const TasksScreen = createLazyRoute('/shell/tasks')({ component: Tasks });

function Tasks() {
  const say = useTranslations('tasks');
  const { client, account } = useSession();
  const curl = useCurl();
  const { state, pipeline, bucket, key }: TasksSearch = TasksScreen.useSearch();
  const filter = { state, pipeline, bucket, key };
  const found = useInfiniteQuery({
    queryKey: ['tasks', account, filter],
    queryFn: ({ pageParam, signal }) =>
      client.processing.taskPage({ ...filter, limit: PAGE, marker: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ items, marker }) => (items.length === 0 ? undefined : marker),
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) > MOST_LIVE_PAGES ? false : LIVE_MS),
  });
  const tasks = useMemo(() => distinct(found.data?.pages.flatMap(({ items }) => items) ?? []), [found.data]);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const more = () => {
    if (found.hasNextPage && !found.isFetching) void found.fetchNextPage();
  };
  return (
    <Screen title={say('title')}>
      <div className={styles.listPage}>
        <TaskFilterBar filter={filter} />
        {found.isError && (
          <div className={styles.padded}>
            <Failure error={found.error} what={say('list.failed')} again={() => void found.refetch()} />
          </div>
        )}
        {found.isSuccess && tasks.length === 0 ? (
          <Empty
            icon={<Clapperboard className="icon" aria-hidden />}
            title={say(isFiltered ? 'empty.filtered' : 'empty.title')}
            {...(isFiltered ? {} : { words: say('empty.words') })}
          >
            {isFiltered ? (
              <Link className="button" to="/tasks" search={(was) => ({ account: was.account })}>
                {say('filter.clear')}
              </Link>
            ) : (
              <Link
                className="button primary"
                to={'/commands' as '/'}
                search={(was) => ({ account: was.account })}
              >
                {say('empty.act')}
              </Link>
            )}
          </Empty>
        ) : (
          <TaskRows
            tasks={tasks}
            isReading={found.isPending || found.isFetchingNextPage}
            hasMore={found.hasNextPage}
            more={more}
          />
        )}
        <details className={styles.same}>
          <summary>{say('asCommand')}</summary>
          <CommandTabs commands={commandsOf(curl, filter)} />
        </details>
      </div>
    </Screen>
  );
}

/** Pages shift while new tasks come: one that moved to the next page is shown once. */
function distinct(tasks: readonly OwnTaskRecord[]): readonly OwnTaskRecord[] {
  return [...new Map(tasks.map((task) => [task.id, task])).values()];
}

function commandsOf(curl: ReturnType<typeof useCurl>, filter: TasksSearch): Commands {
  const given = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return {
    curl: curl({ role: 'api', target: `/v1/tasks${query === '' ? '' : `?${query}`}` }),
    cli: ['millpond task list', ...given.map(([name, value]) => `--${name} ${shellWord(value)}`)].join(' '),
    sdk: `for await (const task of client.processing.tasks(${given.length === 0 ? '' : JSON.stringify(Object.fromEntries(given))}))\n  console.log(task.id, task.desc);`,
  };
}
