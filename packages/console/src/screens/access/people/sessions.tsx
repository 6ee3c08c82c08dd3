/** Who is signed in at the console for this account, and ending that. */
import type { SessionRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { relativeTime } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import type { RecordColumn } from '../../../ui/records/record-column.ts';
import { RecordTable } from '../../../ui/records/record-table.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from '../access.module.css';
import { AccessTabs } from '../tabs.tsx';
import { AccessTokens } from './access-tokens.tsx';

function Sessions() {
  const say = useTranslations('access');
  const curl = useCurl();
  const { client, account } = useSession();
  const sessions = useQuery({
    queryKey: ['access', account, 'sessions'],
    queryFn: ({ signal }) => client.sessions.list({ signal }),
    refetchInterval: 15_000,
  });
  const end = useAction({
    act: (id: string | undefined) =>
      id === undefined ? client.sessions.endOthers() : client.sessions.end(id),
    done: () => say('sessions.ended'),
    renews: [['access']],
  });
  const columns = useColumns(end.run);
  return (
    <Screen
      title={say('sessions')}
      className={styles.screen}
      acts={
        <Button
          kind="danger"
          disabled={(sessions.data ?? []).length < 2}
          waits={end.isPending}
          onClick={() => void end.run(undefined)}
        >
          {say('sessions.endOthers')}
        </Button>
      }
    >
      <AccessTabs />
      <div className={styles.sections}>
        <RecordTable
          label={say('sessions')}
          columns={columns}
          rows={sessions.data}
          rowKey={({ id }) => id}
          query={sessions}
          failure={say('sessions.failed')}
        />
        <section className="section">
          <CommandTabs
            commands={{
              curl: curl({ role: 'api', method: 'DELETE', target: '/v1/sessions', signed: true }),
              cli: 'millpond session list\nmillpond session end --all',
              sdk: 'await client.sessions.list();\nawait client.sessions.endOthers();',
            }}
          />
        </section>
        <AccessTokens />
      </div>
    </Screen>
  );
}

function useColumns(end: (id: string) => unknown): readonly RecordColumn<SessionRecord>[] {
  const say = useTranslations('access');
  const { serverNow } = useSession();
  return [
    {
      id: 'agent',
      header: say('sessions.agent'),
      value: ({ agent }) => agent,
      cell: ({ agent }) => (agent === '' ? <span className="quiet">{say('sessions.noAgent')}</span> : agent),
    },
    { id: 'address', header: say('address'), kind: 'code', width: 144 },
    {
      id: 'how',
      header: say('sessions.how'),
      width: 112,
      value: ({ how }) => say(how === 'oidc' ? 'sessions.oidc' : 'sessions.password'),
    },
    { id: 'begun', header: say('sessions.begun'), kind: 'time', width: 176, onPhone: 'labelled' },
    {
      id: 'lastUsed',
      header: say('lastUsed'),
      kind: 'time',
      width: 144,
      onPhone: 'labelled',
      format: (lastUsed) => relativeTime(lastUsed, serverNow()),
    },
    {
      id: 'actions',
      header: say('acts'),
      kind: 'actions',
      width: 112,
      cell: ({ id, current }) =>
        current ? (
          <span className="quiet">{say('sessions.current')}</span>
        ) : (
          <Button kind="link" onClick={() => end(id)}>
            {say('sessions.end')}
          </Button>
        ),
    },
  ];
}

export const SessionsScreen = createLazyRoute('/shell/sessions')({ component: Sessions });
