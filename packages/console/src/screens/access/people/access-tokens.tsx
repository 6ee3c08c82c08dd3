/** Programs that logged in by the account's password, and ending that. */
import type { TokenGrant } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import type { RecordColumn } from '../../../ui/records/record-column.ts';
import { RecordTable } from '../../../ui/records/record-table.tsx';
import { useAction } from '../../../ui/use-action.ts';

export function AccessTokens() {
  const say = useTranslations('access');
  const { client, account } = useSession();
  const curl = useCurl();
  const tokens = useQuery({
    queryKey: ['access', account, 'tokens'],
    queryFn: ({ signal }) => client.accessTokens.list({ signal }),
    refetchInterval: 15_000,
  });
  const end = useAction({
    act: (id: string | undefined) =>
      id === undefined ? client.accessTokens.endAll() : client.accessTokens.end(id),
    done: () => say('sessions.ended'),
    renews: [['access', account, 'tokens']],
  });
  const columns: readonly RecordColumn<TokenGrant>[] = [
    { id: 'address', header: say('address'), kind: 'code' },
    { id: 'begun', header: say('sessions.begun'), kind: 'time', width: 176 },
    { id: 'renewed', header: say('tokens.renewed'), kind: 'time', width: 176 },
    { id: 'expires', header: say('tokens.expires'), kind: 'time', width: 176 },
    {
      id: 'actions',
      header: say('acts'),
      kind: 'actions',
      width: 112,
      cell: ({ id }) => (
        <Button kind="link" onClick={() => void end.run(id)}>
          {say('sessions.end')}
        </Button>
      ),
    },
  ];
  return (
    <section className="section">
      <div className="section-head">
        <h2>{say('tokens')}</h2>
        <span className="grow" />
        <Button
          disabled={(tokens.data ?? []).length === 0}
          waits={end.isPending}
          onClick={() => void end.run(undefined)}
        >
          {say('tokens.endAll')}
        </Button>
      </div>
      <p className="quiet">{say('tokens.words')}</p>
      <RecordTable
        label={say('tokens')}
        columns={columns}
        rows={tokens.data}
        rowKey={({ id }) => id}
        query={tokens}
        failure={say('tokens.failed')}
        empty={<p className="quiet">{say('tokens.none')}</p>}
      />
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
