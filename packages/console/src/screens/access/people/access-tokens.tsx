/** Programs that logged in by the account's password, and ending that. */
import type { TokenGrant } from '@millpond/client/session';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { useMessages } from '../../../ui/messages.tsx';

export function AccessTokens() {
  const say = useTranslations('access');
  const { client, account } = useSession();
  const curl = useCurl();
  const queries = useQueryClient();
  const tell = useMessages();
  const { data, error, refetch } = useQuery({
    queryKey: ['access', account, 'tokens'],
    queryFn: ({ signal }) => client.accessTokens.list({ signal }),
    refetchInterval: 15_000,
  });
  const end = useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? client.accessTokens.endAll() : client.accessTokens.end(id),
    onSuccess: () => {
      tell({ words: say('sessions.ended') });
      void queries.invalidateQueries({ queryKey: ['access', account, 'tokens'] });
    },
    onError: (refusal) => tell({ words: refusal.message, state: 'bad' }),
  });
  return (
    <section className="section">
      <div className="section-head">
        <h2>{say('tokens')}</h2>
        <span className="grow" />
        <Button
          disabled={data === undefined || data.length === 0}
          waits={end.isPending}
          onClick={() => end.mutate(undefined)}
        >
          {say('tokens.endAll')}
        </Button>
      </div>
      <p className="quiet">{say('tokens.words')}</p>
      {error !== null && <Failure error={error} what={say('tokens.failed')} again={() => void refetch()} />}
      {data?.length === 0 && <p className="quiet">{say('tokens.none')}</p>}
      {data !== undefined && data.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th>{say('address')}</th>
              <th style={{ width: 176 }}>{say('sessions.begun')}</th>
              <th style={{ width: 176 }}>{say('tokens.renewed')}</th>
              <th style={{ width: 176 }}>{say('tokens.expires')}</th>
              <th style={{ width: 112 }}>
                <span className="visually-hidden">{say('acts')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((grant) => (
              <Row key={grant.id} grant={grant} end={() => end.mutate(grant.id)} />
            ))}
          </tbody>
        </table>
      )}
      <CommandTabs
        commands={{
          curl: curl({ role: 'api', method: 'DELETE', target: '/v1/access-tokens', signed: true }),
          cli: 'millpond access-token list\nmillpond access-token end --all',
          sdk: 'await client.accessTokens.list();\nawait client.accessTokens.endAll();',
        }}
      />
    </section>
  );
}

function Row({ grant, end }: { readonly grant: TokenGrant; readonly end: () => void }) {
  const say = useTranslations('access');
  const { address, begun, renewed, expires } = grant;
  return (
    <tr>
      <td className="mono">{address}</td>
      <td className="tabular">{time(begun)}</td>
      <td className="tabular">{renewed === undefined ? '' : time(renewed)}</td>
      <td className="tabular">{time(expires)}</td>
      <td className="actions">
        <Button kind="link" onClick={end}>
          {say('sessions.end')}
        </Button>
      </td>
    </tr>
  );
}
