/** The steps of a request on one line of time: where its milliseconds went. */
import type { RequestTrace } from '@millpond/client/session';
import { milliseconds, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { StatusMark } from '../../ui/mark.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';
import styles from './requests.module.css';

export function Steps({ trace: { steps, ms, leftOut } }: { readonly trace: RequestTrace }) {
  const say = useTranslations('requests');
  if (steps.length === 0) return <p className="soft">{say('steps.none')}</p>;
  const whole = Math.max(ms, ...steps.map((step) => step.at + step.ms), 0.001);
  return (
    <section className="section" aria-labelledby="steps">
      <header>
        <h2 id="steps">{say('steps')}</h2>
        <span className="quiet text-small">{say('steps.words')}</span>
      </header>
      <RecordTable
        label={say('steps')}
        className={styles.steps}
        rows={steps}
        rowKey={(step) => `${steps.indexOf(step)}`}
        columns={[
          {
            id: 'kind',
            header: say('step.kind'),
            width: 112,
            cell: ({ kind, ok }) => (
              <span className="state">
                <StatusMark state={ok ? 'ok' : 'bad'} label={say(ok ? 'step.ok' : 'step.failed')} />
                {say(`kind.${kind}`)}
              </span>
            ),
          },
          {
            id: 'name',
            header: say('step.name'),
            tooltip: ({ words }) => words,
            cell: ({ name, words }) => (
              <>
                <code>{name}</code> <span className="quiet">{words}</span>
              </>
            ),
          },
          {
            id: 'when',
            header: say('step.when'),
            width: '34%',
            onPhone: 'hidden',
            cell: (step) => (
              <span className={styles.lane} aria-hidden>
                <i
                  className={step.ok ? '' : 'bad'}
                  style={{
                    left: `${(step.at / whole) * 100}%`,
                    width: `${Math.max(0.4, (step.ms / whole) * 100)}%`,
                  }}
                />
              </span>
            ),
          },
          { id: 'ms', header: say('step.took'), kind: 'number', width: 96, format: milliseconds },
        ]}
      />
      {leftOut !== undefined && (
        <p className="quiet text-small">
          {say('steps.leftOut', { count: leftOut, number: number(leftOut) })}
        </p>
      )}
    </section>
  );
}
