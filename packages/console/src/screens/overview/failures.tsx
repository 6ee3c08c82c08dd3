/** What failed of late, in its own words, with the way to its cause and the act that helps. */

import type { FailureRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Clapperboard, CloudDownload, Layers, type LucideIcon, Send } from 'lucide-react';
import { useSession } from '../../app/session-context.tsx';
import { firstOf } from '../../lib/collected.ts';
import { shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useAction } from '../../ui/use-action.ts';
import { causeOf } from './cause.ts';
import styles from './overview.module.css';

const SHOWN = 12;
const EVERY_MS = 5_000;

const ICONS: Readonly<Record<string, LucideIcon>> = {
  task: Clapperboard,
  fetch: CloudDownload,
  bulk: Layers,
};

export function Failures() {
  const say = useTranslations('overview');
  const { client, account } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', account, 'failures'],
    queryFn: ({ signal }) => firstOf(client.failures({ limit: SHOWN, signal }), SHOWN),
    refetchInterval: EVERY_MS,
  });
  if (error !== null && data === undefined)
    return <Failure error={error} what={say('failures.failed')} again={() => void refetch()} />;
  const items = data ?? [];
  return (
    <section className={`section ${styles.failures}`} aria-labelledby="failures">
      <header>
        <h2 id="failures">{say('failures')}</h2>
        <span className="quiet text-small">{say('failures.words')}</span>
      </header>
      {data !== undefined && items.length === 0 ? (
        <p className="soft">{say('failures.none')}</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th style={{ width: 96 }}>{say('column.time')}</th>
              <th style={{ width: 144 }}>{say('column.what')}</th>
              <th>{say('column.entry')}</th>
              <th>{say('column.words')}</th>
              <th style={{ width: 128 }}>{say('column.cause')}</th>
              <th style={{ width: 80 }}>
                <span className="visually-hidden">{say('column.act')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((failure) => (
              <Row key={`${failure.what} ${failure.id}`} failure={failure} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Row({ failure }: { readonly failure: FailureRecord }) {
  const say = useTranslations('overview');
  const { at, what, entry, words } = failure;
  const Icon = ICONS[what] ?? Send;
  return (
    <tr>
      <td className="tabular quiet" title={time(at)}>
        {shortTime(at)}
      </td>
      <td>
        <span className="row">
          <Icon className="icon" aria-hidden />
          {say(`what.${what}`)}
        </span>
      </td>
      <td className="mono" title={entry}>
        {entry}
      </td>
      <td title={words}>{words}</td>
      <td>
        <Cause failure={failure} />
      </td>
      <td className="actions">
        <Act failure={failure} />
      </td>
    </tr>
  );
}

function Cause({ failure: { cause, uid } }: { readonly failure: FailureRecord }) {
  const say = useTranslations('overview');
  const { operator } = useSession();
  const address = causeOf(cause, operator ? uid : undefined);
  const words = say(`cause.${cause.kind}`);
  return address === undefined ? words : <Link {...address}>{words}</Link>;
}

function Act({ failure: { act, id, uid } }: { readonly failure: FailureRecord }) {
  const say = useTranslations('overview');
  const { clientFor } = useSession();
  const { run, isPending } = useAction({
    async act() {
      const client = clientFor(uid);
      if (act === 'rerun') await client.processing.rerun(id);
      else await client.deliveries.resend(id);
    },
    done: () => say(act === 'rerun' ? 'rerun.done' : 'resend.done'),
    renews: [['overview']],
  });
  if (act !== 'rerun' && act !== 'resend') return null;
  return (
    <Button kind="link" waits={isPending} onClick={() => void run()}>
      {say(act)}
    </Button>
  );
}
