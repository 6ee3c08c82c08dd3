/** One pipeline: its load, how many of its tasks run at a time, and what is in it. */
import type { Pipeline } from '@millpond/client/session';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { number, percent, relativeTime, shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';
import { briefCommand, markOf } from '../tasks/task-facts.ts';
import styles from './pipelines.module.css';
import { MOST_AT_ONCE, usePipelines } from './use-pipelines.ts';

const MOST_SHOWN = 20;

export const PipelineScreen = createLazyRoute('/shell/pipelines/$name')({ component: PipelinePage });

function PipelinePage() {
  const say = useTranslations('pipelines');
  const { client } = useSession();
  const { name } = PipelineScreen.useParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const found = usePipelines();
  const [isAsked, setAsked] = useState(false);
  const pipeline = found.data?.find((each) => each.name === name);
  const remove = async () => {
    await client.processing.removePipeline(name);
    await queries.invalidateQueries({ queryKey: ['pipelines'] });
    await navigate({ to: '/pipelines', search: (was) => ({ account: was.account }) });
  };
  return (
    <Screen
      title={name}
      className={styles.screen}
      crumbs={
        <>
          <Link to="/pipelines" search={(was) => ({ account: was.account })}>
            {say('title')}
          </Link>
          <span className="separator">/</span>
        </>
      }
      acts={
        pipeline !== undefined && (
          <Button kind="danger" icon={<Trash2 className="icon" aria-hidden />} onClick={() => setAsked(true)}>
            {say('remove.act')}
          </Button>
        )
      }
    >
      {found.isError && (
        <div className={styles.padded}>
          <Failure error={found.error} what={say('failed')} again={() => void found.refetch()} />
        </div>
      )}
      {found.isSuccess && pipeline === undefined && (
        <Empty title={say('gone.title')} words={say('gone.words')} />
      )}
      {pipeline !== undefined && <Detail pipeline={pipeline} />}
      <Confirm
        title={say('remove.title', { name })}
        act={say('remove.act')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        onConfirm={remove}
      >
        <p>{say('remove.words')}</p>
      </Confirm>
    </Screen>
  );
}

function Detail({ pipeline }: { readonly pipeline: Pipeline }) {
  const say = useTranslations('pipelines');
  const session = useSession();
  const curl = useCurl();
  const { name, concurrency, waiting, running, oldest } = pipeline;
  return (
    <div className={styles.pipeline}>
      <dl className={styles.figures}>
        <div>
          <dt>{say('column.waiting')}</dt>
          <dd className="tabular">{number(waiting)}</dd>
        </div>
        <div>
          <dt>{say('column.running')}</dt>
          <dd className="tabular">
            {say('load', { running: number(running), concurrency: number(concurrency) })}
          </dd>
        </div>
        <div>
          <dt>{say('column.oldest')}</dt>
          <dd className="tabular">
            {oldest === undefined ? '–' : relativeTime(oldest, session.serverNow())}
          </dd>
        </div>
      </dl>
      <Concurrency key={concurrency} pipeline={pipeline} />
      <Unfinished name={name} />
      <section>
        <h2>{say('asCommand')}</h2>
        <CommandTabs
          commands={{
            curl: curl({
              role: 'api',
              target: `/v1/pipelines/${name}`,
              method: 'PUT',
              json: { concurrency },
            }),
            cli: `millpond pipeline set ${name} --concurrency ${concurrency}\nmillpond task list --pipeline ${name}`,
            sdk: `await client.processing.putPipeline('${name}', ${concurrency});`,
          }}
        />
      </section>
    </div>
  );
}

function Concurrency({ pipeline: { name, concurrency } }: { readonly pipeline: Pipeline }) {
  const say = useTranslations('pipelines');
  const { client } = useSession();
  const [text, setText] = useState(String(concurrency));
  const change = useAction({
    act: () => client.processing.putPipeline(name, Number(text)),
    done: () => say('change.done', { name, count: Number(text) }),
    renews: [['pipelines']],
    failure: 'inline',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change.run();
  };
  return (
    <section>
      <h2>{say('concurrency')}</h2>
      <form className="row" onSubmit={submit}>
        <input
          className="input"
          type="number"
          min={1}
          max={MOST_AT_ONCE}
          required
          aria-label={say('concurrency')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" waits={change.isPending} disabled={text === String(concurrency)}>
          {say('change.act')}
        </Button>
      </form>
      <p className="hint">{say('concurrencyHint')}</p>
      {change.error !== null && <Failure error={change.error} what={say('change.failed')} />}
    </section>
  );
}

/** What is in it now: what runs first, then what waits. */
function Unfinished({ name }: { readonly name: string }) {
  const say = useTranslations('pipelines');
  const { client, account, serverNow } = useSession();
  const found = useQuery({
    queryKey: ['tasks', account, 'unfinished', name],
    refetchInterval: 5_000,
    queryFn: async ({ signal }) => {
      const ask = { pipeline: name, limit: MOST_SHOWN, signal };
      const pages = await Promise.all([
        client.processing.taskPage({ ...ask, state: 'processing' }),
        client.processing.taskPage({ ...ask, state: 'waiting' }),
      ]);
      return pages.flatMap(({ items }) => items).slice(0, MOST_SHOWN);
    },
  });
  return (
    <section>
      <div className="section-head">
        <h2>{say('unfinished.title')}</h2>
        <Link className="link end" to="/tasks" search={(was) => ({ account: was.account, pipeline: name })}>
          {say('unfinished.all')}
        </Link>
      </div>
      {found.isError && <Failure error={found.error} />}
      {found.data?.length === 0 && <p className="quiet">{say('unfinished.none')}</p>}
      <ul className={styles.unfinished}>
        {found.data?.map((task) => (
          <li key={task.id}>
            <StatusMark state={markOf(task.code)} />
            <Link
              to="/tasks/$id"
              params={{ id: task.id }}
              search={(was) => ({ account: was.account })}
              className="mono truncate"
            >
              {task.inputBucket}:{task.inputKey}
            </Link>
            <code className="truncate quiet">{briefCommand(task.items[0]?.cmd ?? '')}</code>
            <span className="tabular soft end nowrap">
              {task.code === 2 ? percent(task.percent / 100) : shortTime(task.creationDate, serverNow())}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
