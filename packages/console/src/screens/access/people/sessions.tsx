/** Who is signed in at the console for this account, and ending that. */
import type { SessionRecord } from '@millpond/client/session';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { relativeTime, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { Screen } from '../../../ui/screen.tsx';
import styles from '../access.module.css';
import { AccessTabs } from '../tabs.tsx';
import { AccessTokens } from './access-tokens.tsx';

function Sessions() {
  const say = useTranslations('access');
  const curl = useCurl();
  const { client, account } = useSession();
  const queries = useQueryClient();
  const tell = useMessages();
  const {
    data = [],
    error,
    refetch,
  } = useQuery({
    queryKey: ['access', account, 'sessions'],
    queryFn: ({ signal }) => client.sessions.list({ signal }),
    refetchInterval: 15_000,
  });
  const end = useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? client.sessions.endOthers() : client.sessions.end(id),
    onSuccess: () => {
      tell({ words: say('sessions.ended') });
      void queries.invalidateQueries({ queryKey: ['access'] });
    },
    onError: (refusal) => tell({ words: refusal.message, state: 'bad' }),
  });
  return (
    <Screen
      title={say('sessions')}
      className={styles.screen}
      acts={
        <Button
          kind="danger"
          disabled={data.length < 2}
          waits={end.isPending}
          onClick={() => end.mutate(undefined)}
        >
          {say('sessions.endOthers')}
        </Button>
      }
    >
      <AccessTabs />
      <div className={styles.sections}>
        {error !== null && (
          <Failure error={error} what={say('sessions.failed')} again={() => void refetch()} />
        )}
        <table className="table">
          <thead>
            <tr>
              <th>{say('sessions.agent')}</th>
              <th style={{ width: 144 }}>{say('address')}</th>
              <th style={{ width: 112 }}>{say('sessions.how')}</th>
              <th style={{ width: 176 }}>{say('sessions.begun')}</th>
              <th style={{ width: 144 }}>{say('lastUsed')}</th>
              <th style={{ width: 112 }}>
                <span className="visually-hidden">{say('acts')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((session) => (
              <Row key={session.id} session={session} end={() => end.mutate(session.id)} />
            ))}
          </tbody>
        </table>
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

function Row({ session, end }: { readonly session: SessionRecord; readonly end: () => void }) {
  const say = useTranslations('access');
  const { serverNow } = useSession();
  const { agent, address, how, begun, lastUsed, current } = session;
  return (
    <tr>
      <td title={agent}>{agent === '' ? <span className="quiet">{say('sessions.noAgent')}</span> : agent}</td>
      <td className="mono">{address}</td>
      <td>{say(how === 'oidc' ? 'sessions.oidc' : 'sessions.password')}</td>
      <td className="tabular" data-label={say('sessions.begun')}>
        {time(begun)}
      </td>
      <td className="tabular" data-label={say('lastUsed')}>
        {relativeTime(lastUsed, serverNow())}
      </td>
      <td className="actions">
        {current ? (
          <span className="quiet">{say('sessions.current')}</span>
        ) : (
          <Button kind="link" onClick={end}>
            {say('sessions.end')}
          </Button>
        )}
      </td>
    </tr>
  );
}

export const SessionsScreen = createLazyRoute('/shell/sessions')({ component: Sessions });
