/** What a request caused: tasks, deliveries, rows of the audit log. */
import type { RequestTrace } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from '../../lib/words.ts';
import styles from './requests.module.css';

export function Caused({ trace: { caused } }: { readonly trace: RequestTrace }) {
  const say = useTranslations('requests');
  const { tasks, deliveries, audit } = caused;
  if (tasks.length + deliveries.length + audit.length === 0) return null;
  return (
    <section className="section" aria-labelledby="caused">
      <header>
        <h2 id="caused">{say('caused')}</h2>
      </header>
      <ul className={styles.caused}>
        {tasks.map(({ id, inputBucket, inputKey }) => (
          <Line key={id} kind={say('caused.task')} words={`${inputBucket}:${inputKey}`}>
            <Link
              to="/tasks/$id"
              params={{ id }}
              search={({ account }) => ({ account })}
              className="mono truncate"
            >
              {id}
            </Link>
          </Line>
        ))}
        {deliveries.map(({ id, subject }) => (
          <Line key={id} kind={say('caused.delivery')} words={subject}>
            <Link
              to="/deliveries/$id"
              params={{ id }}
              search={({ account }) => ({ account })}
              className="mono truncate"
            >
              {id}
            </Link>
          </Line>
        ))}
        {audit.map(({ at, action, target, reqid }) => (
          <Line key={`${at} ${action} ${target}`} kind={say('caused.audit')} words={target}>
            <Link to="/audit" search={({ account }) => ({ account, reqid })} className="mono truncate">
              {action}
            </Link>
          </Line>
        ))}
      </ul>
    </section>
  );
}

function Line({
  kind,
  words,
  children,
}: {
  readonly kind: string;
  readonly words: string;
  readonly children: ReactNode;
}) {
  return (
    <li>
      <span className="soft">{kind}</span>
      {children}
      <span className="quiet truncate" title={words}>
        {words}
      </span>
    </li>
  );
}
