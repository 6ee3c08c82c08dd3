/** What failed of late, in its own words, with the way to its cause and the act that helps. */
import type { FailureRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Clapperboard, CloudDownload, Layers, type LucideIcon, Send } from 'lucide-react';
import { useSession } from '../../app/session-context.tsx';
import { firstOf } from '../../lib/first-of.ts';
import { shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import type { RecordColumn } from '../../ui/records/record-column.ts';
import { RecordTable } from '../../ui/records/record-table.tsx';
import { useAction } from '../../ui/use-action.ts';
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
  const failures = useQuery({
    queryKey: ['overview', account, 'failures'],
    queryFn: ({ signal }) => firstOf(client.failures({ limit: SHOWN, signal }), SHOWN),
    refetchInterval: EVERY_MS,
  });
  const columns: readonly RecordColumn<FailureRecord>[] = [
    { id: 'at', header: say('column.time'), kind: 'time', tone: 'quiet', width: 96, format: shortTime },
    {
      id: 'what',
      header: say('column.what'),
      width: 144,
      cell: ({ what }) => {
        const Icon = ICONS[what] ?? Send;
        return (
          <span className="row">
            <Icon className="icon" aria-hidden />
            {say(`what.${what}`)}
          </span>
        );
      },
    },
    { id: 'entry', header: say('column.entry'), kind: 'code' },
    { id: 'words', header: say('column.words') },
    { id: 'cause', header: say('column.cause'), width: 128, cell: (failure) => <Cause failure={failure} /> },
    {
      id: 'actions',
      header: say('column.act'),
      kind: 'actions',
      width: 80,
      cell: (failure) => <Act failure={failure} />,
    },
  ];
  return (
    <section className={`section ${styles.failures}`} aria-labelledby="failures">
      <header>
        <h2 id="failures">{say('failures')}</h2>
        <span className="quiet text-small">{say('failures.words')}</span>
      </header>
      <RecordTable
        label={say('failures')}
        columns={columns}
        rows={failures.data}
        rowKey={({ what, id }) => `${what} ${id}`}
        query={failures}
        failure={say('failures.failed')}
        empty={<p className="soft">{say('failures.none')}</p>}
      />
    </section>
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

/** Where the cause is, among what belongs to its account. Undefined for what only operators' commands show. */
function causeOf(
  { kind, id, item }: FailureRecord['cause'],
  account: number | undefined,
): { readonly to: string; readonly search: object } | undefined {
  const search = account === undefined ? {} : { account };
  const name = encodeURIComponent(id);
  switch (kind) {
    case 'task':
      return { to: `/tasks/${name}`, search: { ...search, ...(item !== undefined && { item }) } };
    case 'endpoint':
      return { to: `/endpoints/${name}`, search: { ...search, state: 'failed' } };
    case 'delivery':
      return { to: `/deliveries/${name}`, search };
    case 'bulk':
      return { to: `/bulk/${name}`, search };
    case 'request':
      return { to: `/requests/${name}`, search };
    case 'job':
      return undefined;
  }
}
