/** For operators: every process and engine, how it is, and what to do about it; and every queue. */
import { createLazyRoute } from '@tanstack/react-router';
import { milliseconds, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { Screen } from '../../ui/screen.tsx';
import styles from './engines.module.css';
import { useHealth } from './health.ts';
import { Queues } from './queues.tsx';

function Engines() {
  const say = useTranslations('overview');
  const { data, error, refetch } = useHealth();
  return (
    <Screen title={say('engines')}>
      <div className={styles.tables}>
        {error !== null && (
          <Failure error={error} what={say('engines.failed')} again={() => void refetch()} />
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than a phone is scrolled by keys. */}
        <section className="scroll" tabIndex={0} aria-label={say('engines')}>
          <table className="table">
            <thead>
              <tr>
                <th style={{ width: 224 }}>{say('engine')}</th>
                <th style={{ width: 144 }}>{say('state')}</th>
                <th className="numeric" style={{ width: 96 }}>
                  {say('answers')}
                </th>
                <th>{say('column.words')}</th>
                <th style={{ width: 192 }}>{say('sinceWhen')}</th>
              </tr>
            </thead>
            <tbody>
              {data?.items.map(({ engine, name, state, ms, words, do: act, since }) => (
                <tr key={`${engine} ${name}`}>
                  <td title={name}>
                    {say(`engine.${engine}`)} <span className="quiet">{name}</span>
                  </td>
                  <td>
                    <span className="state">
                      <StatusMark state={state} />
                      {say(`state.${state}`)}
                    </span>
                  </td>
                  <td className="numeric">{ms === undefined ? '' : milliseconds(ms)}</td>
                  <td title={words}>
                    {words} {act !== undefined && <b className="weight-medium">{act}</b>}
                  </td>
                  <td className="tabular quiet">{since === undefined ? '' : time(since)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <Queues />
        <CommandTabs
          commands={{
            curl: '# of a process: its admin listener\ncurl http://127.0.0.1:8190/readyz',
            cli: 'millpond doctor',
            sdk: 'await client.operator.health();\nawait client.operator.figures();',
          }}
        />
      </div>
    </Screen>
  );
}

export const EnginesScreen = createLazyRoute('/shell/engines')({ component: Engines });
