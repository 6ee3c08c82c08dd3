/** The attempts of a delivery, in the order in which they were made. */
import type { DeliveryDetail } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { durationText, milliseconds, shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { RecordTable } from '../../ui/records/record-table.tsx';
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
  return (
    <RecordTable
      label={say('attempts')}
      className={styles.attempts}
      rows={attempts}
      rowKey={({ attempt }) => `${attempt}`}
      currentKey={open?.toString()}
      empty={<p className={`soft ${styles.nothing}`}>{say('attempts.none')}</p>}
      columns={[
        {
          id: 'attempt',
          header: say('attempt'),
          width: 56,
          className: 'tabular',
          cell: ({ attempt }) => (
            <Link to="." search={(was) => ({ ...was, try: attempt })} replace>
              {attempt}
            </Link>
          ),
        },
        { id: 'begun', header: say('begun'), kind: 'time', width: 96, format: shortTime },
        {
          id: 'waited',
          header: say('waited'),
          tone: 'quiet',
          width: 96,
          onPhone: 'hidden',
          value: (each) => waited(each, attempts[attempts.indexOf(each) - 1]) ?? say('atOnce'),
        },
        { id: 'answer', header: say('answer'), cell: (attempt) => <Answer attempt={attempt} /> },
        {
          id: 'durationMs',
          header: say('took'),
          kind: 'number',
          tone: 'quiet',
          width: 80,
          format: milliseconds,
        },
      ]}
    />
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
