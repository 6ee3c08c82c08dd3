/** The steps of a request on one line of time: where its milliseconds went. */
import type { RequestTrace } from '@millpond/client/session';
import { milliseconds, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { StatusMark } from '../../ui/mark.tsx';
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
      <table className={`table ${styles.steps}`}>
        <thead>
          <tr>
            <th style={{ width: 112 }}>{say('step.kind')}</th>
            <th>{say('step.name')}</th>
            <th className={styles.barColumn}>{say('step.when')}</th>
            <th className="numeric" style={{ width: 96 }}>
              {say('step.took')}
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            <tr key={place}>
              <td>
                <span className="state">
                  <StatusMark
                    state={step.ok ? 'ok' : 'bad'}
                    label={say(step.ok ? 'step.ok' : 'step.failed')}
                  />
                  {say(`kind.${step.kind}`)}
                </span>
              </td>
              <td title={step.words}>
                <code>{step.name}</code> <span className="quiet">{step.words}</span>
              </td>
              <td>
                <span className={styles.lane} aria-hidden>
                  <i
                    className={step.ok ? '' : 'bad'}
                    style={{
                      left: `${(step.at / whole) * 100}%`,
                      width: `${Math.max(0.4, (step.ms / whole) * 100)}%`,
                    }}
                  />
                </span>
              </td>
              <td className="numeric">{milliseconds(step.ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {leftOut !== undefined && (
        <p className="quiet text-small">
          {say('steps.leftOut', { count: leftOut, number: number(leftOut) })}
        </p>
      )}
    </section>
  );
}
