/** For operators: every account of the installation, what it stores, and acting for it. */
import type { OperatorAccount } from '@millpond/client/session';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { bytes, number, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { AccountState, Disabling } from './disabling.tsx';

const PAGE = 100;
const route = getRouteApi('/shell/accounts');

export function AllAccounts() {
  const say = useTranslations('access');
  const curl = useCurl();
  const navigate = useNavigate();
  const { everyone } = useSession();
  const { begins } = route.useSearch();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['access', 'accounts', begins],
    queryFn: ({ pageParam, signal }) =>
      everyone.operator.accountPage({ begins, marker: pageParam, limit: PAGE, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ marker }) => marker,
    placeholderData: keepPreviousData,
  });
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const query = begins === undefined ? '' : `?begins=${encodeURIComponent(begins)}`;
  return (
    <>
      <label className="input large">
        <Search className="icon" aria-hidden />
        <span className="visually-hidden">{say('all.find')}</span>
        <input
          value={begins ?? ''}
          placeholder={say('all.find')}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target: { value } }) =>
            void navigate({ to: '/accounts', search: { begins: value || undefined }, replace: true })
          }
        />
      </label>
      {error !== null && <Failure error={error} what={say('children.failed')} again={() => void refetch()} />}
      {data !== undefined && rows.length === 0 && <p className="soft">{say('all.none')}</p>}
      {rows.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th>{say('account')}</th>
              <th style={{ width: 128 }}>{say('uid')}</th>
              <th style={{ width: 96 }}>{say('state')}</th>
              <th className="numeric" style={{ width: 96 }}>
                {say('all.buckets')}
              </th>
              <th className="numeric" style={{ width: 112 }}>
                {say('all.objects')}
              </th>
              <th className="numeric" style={{ width: 112 }}>
                {say('all.bytes')}
              </th>
              <th style={{ width: 176 }}>{say('all.created')}</th>
              <th style={{ width: 160 }}>
                <span className="visually-hidden">{say('acts')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((account) => (
              <Row key={account.uid} account={account} />
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <Button waits={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {say('all.more')}
        </Button>
      )}
      <section className="section">
        <CommandTabs
          commands={{
            curl: `# in a session of the console only: no access key may\n${curl({ role: 'api', target: `/v1/operator/accounts${query}` })}`,
            cli: 'millpond account list',
            sdk: `for await (const account of client.operator.accounts(${JSON.stringify({ begins })})) console.log(account);`,
          }}
        />
      </section>
    </>
  );
}

function Row({ account }: { readonly account: OperatorAccount }) {
  const say = useTranslations('access');
  const { everyone, uid: own } = useSession();
  const { uid, email, parent_uid: parent, is_disabled: isDisabled, buckets, objects, created } = account;
  const actFor = (
    <Link to="/" search={{ account: uid }} className="link">
      {say('all.open')}
    </Link>
  );
  return (
    <tr>
      <td title={email}>
        {email} {parent !== 0 && <span className="quiet">{say('all.child', { uid: parent })}</span>}
      </td>
      <td className="mono quiet">{uid}</td>
      <AccountState isDisabled={isDisabled} />
      <td className="numeric desktop-only">{number(buckets)}</td>
      <td className="numeric desktop-only">{number(objects)}</td>
      <td className="numeric">{bytes(account.bytes)}</td>
      <td className="tabular quiet desktop-only">{time(created)}</td>
      {uid === own ? (
        <td className="actions">{actFor}</td>
      ) : (
        <Disabling
          email={email}
          isDisabled={isDisabled}
          disable={(reason) => everyone.operator.disableAccount(uid, reason)}
          enable={() => everyone.operator.enableAccount(uid)}
        >
          {actFor}
        </Disabling>
      )}
    </tr>
  );
}
