/** For operators: every process and engine, how it is, and what to do about it; and every queue. */
import { createLazyRoute } from '@tanstack/react-router';
import { milliseconds } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { Screen } from '../../ui/screen.tsx';
import styles from './engines.module.css';
import { useHealth } from './health.ts';
import { Queues } from './queues.tsx';

function Engines() {
  const say = useTranslations('overview');
  const health = useHealth();
  return (
    <Screen title={say('engines')}>
      <div className={styles.tables}>
        <RecordTable
          label={say('engines')}
          frame="scroll"
          rows={health.data?.items}
          rowKey={({ engine, name }) => `${engine} ${name}`}
          query={health}
          failure={say('engines.failed')}
          columns={[
            {
              id: 'engine',
              header: say('engine'),
              width: 224,
              value: ({ name }) => name,
              cell: ({ engine, name }) => (
                <>
                  {say(`engine.${engine}`)} <span className="quiet">{name}</span>
                </>
              ),
            },
            {
              id: 'state',
              header: say('state'),
              width: 144,
              cell: ({ state }) => (
                <span className="state">
                  <StatusMark state={state} />
                  {say(`state.${state}`)}
                </span>
              ),
            },
            { id: 'ms', header: say('answers'), kind: 'number', width: 96, format: milliseconds },
            {
              id: 'words',
              header: say('column.words'),
              value: ({ words }) => words,
              cell: ({ words, do: act }) => (
                <>
                  {words} {act !== undefined && <b className="weight-medium">{act}</b>}
                </>
              ),
            },
            { id: 'since', header: say('sinceWhen'), kind: 'time', tone: 'quiet', width: 192 },
          ]}
        />
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
