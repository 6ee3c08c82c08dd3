/** The attempts of a delivery, in the order in which they were made. */
import type { DeliveryDetail } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { durationText, milliseconds, shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import styles from './deliveries.module.css';

type Attempt = DeliveryDetail['attempts'][number];

export function Attempts({
  attempts,
  open,
}: {
  readonly attempts: readonly Attempt[];
  readonly open: number | undefined;
}) {
  const say = useTranslations('deliveries');
  if (attempts.length === 0) return <p className={`soft ${styles.nothing}`}>{say('attempts.none')}</p>;
  return (
    <table className={`table ${styles.attempts}`}>
      <thead>
        <tr>
          <th style={{ width: 56 }}>{say('attempt')}</th>
          <th style={{ width: 96 }}>{say('begun')}</th>
          <th className="desktop-only" style={{ width: 96 }}>
            {say('waited')}
          </th>
          <th>{say('answer')}</th>
          <th className="numeric" style={{ width: 80 }}>
            {say('took')}
          </th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((each, at) => (
          <tr key={each.attempt} aria-selected={each.attempt === open}>
            <td className="tabular">
              <Link to="." search={(was) => ({ ...was, try: each.attempt })} replace>
                {each.attempt}
              </Link>
            </td>
            <td className="tabular" title={time(each.begun)}>
              {shortTime(each.begun)}
            </td>
            <td className="quiet desktop-only">{waited(each, attempts[at - 1]) ?? say('atOnce')}</td>
            <td>
              <Answer attempt={each} />
            </td>
            <td className="numeric quiet">{milliseconds(each.durationMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Answer({ attempt: { status, error } }: { readonly attempt: Attempt }) {
  if (status === undefined) return <span className="bad">{error}</span>;
  const isGood = status >= 200 && status < 300;
  return (
    <>
      <code className={isGood ? '' : 'bad'}>{status}</code> <span className="soft">{error}</span>
    </>
  );
}

function waited(attempt: Attempt, before: Attempt | undefined): string | undefined {
  if (before === undefined) return undefined;
  return durationText(Date.parse(attempt.begun) - Date.parse(before.begun) - before.durationMs);
}
