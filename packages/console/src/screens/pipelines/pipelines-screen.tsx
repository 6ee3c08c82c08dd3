/** The account's own queues: how much waits in each, since when, and how many of its tasks may run at a time. */
import { createLazyRoute, Link } from '@tanstack/react-router';
import { GitBranch, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { number, relativeTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { NewPipeline } from './new-pipeline.tsx';
import styles from './pipelines.module.css';
import { usePipelines } from './use-pipelines.ts';

export const PipelinesScreen = createLazyRoute('/shell/pipelines')({ component: Pipelines });

function Pipelines() {
  const say = useTranslations('pipelines');
  const session = useSession();
  const curl = useCurl();
  const found = usePipelines();
  const [isNew, setNew] = useState(false);
  const create = (
    <Button kind="primary" icon={<Plus className="icon" aria-hidden />} onClick={() => setNew(true)}>
      {say('new.act')}
    </Button>
  );
  return (
    <Screen title={say('title')} className={styles.screen} acts={found.data?.length ? create : undefined}>
      {found.isError && (
        <div className={styles.padded}>
          <Failure error={found.error} what={say('failed')} again={() => void found.refetch()} />
        </div>
      )}
      {found.data?.length === 0 && (
        <Empty
          title={say('empty.title')}
          words={say('empty.words')}
          icon={<GitBranch className="icon" aria-hidden />}
        >
          {create}
        </Empty>
      )}
      {found.data !== undefined && found.data.length > 0 && (
        <div className="inset">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{say('column.name')}</th>
                <th scope="col">{say('column.running')}</th>
                <th scope="col" className="numeric">
                  {say('column.waiting')}
                </th>
                <th scope="col" className={styles.oldest}>
                  {say('column.oldest')}
                </th>
              </tr>
            </thead>
            <tbody>
              {found.data.map(({ name, concurrency, waiting, running, oldest }) => (
                <tr key={name}>
                  <td>
                    <Link
                      to="/pipelines/$name"
                      params={{ name }}
                      search={(was) => ({ account: was.account })}
                      className="mono weight-medium"
                    >
                      {name}
                    </Link>
                  </td>
                  <td>
                    <Load running={running} concurrency={concurrency} />
                  </td>
                  <td className="numeric">{number(waiting)}</td>
                  <td
                    className={`${styles.oldest} tabular soft`}
                    title={oldest === undefined ? undefined : time(oldest)}
                  >
                    {oldest === undefined ? '' : relativeTime(oldest, session.serverNow())}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <section className={`${styles.padded} ${styles.same}`}>
        <h2>{say('asCommand')}</h2>
        <CommandTabs
          commands={{
            curl: curl({ role: 'api', target: '/v1/pipelines' }),
            cli: 'millpond pipeline list',
            sdk: 'const pipelines = await client.processing.pipelines();',
          }}
        />
      </section>
      <NewPipeline isOpen={isNew} close={() => setNew(false)} />
    </Screen>
  );
}

function Load({ running, concurrency }: { readonly running: number; readonly concurrency: number }) {
  const say = useTranslations('pipelines');
  return (
    <span className={styles.load}>
      <span className="meter" aria-hidden>
        <i style={{ width: `${Math.min(100, (100 * running) / concurrency)}%` }} />
      </span>
      <span className="tabular">
        {say('load', { running: number(running), concurrency: number(concurrency) })}
      </span>
    </span>
  );
}
