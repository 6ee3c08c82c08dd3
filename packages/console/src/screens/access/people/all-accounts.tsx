/** For operators: every account of the installation, what it stores, and acting for it. */
import type { OperatorAccount } from '@millpond/client/session';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { bytes } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import type { RecordColumn } from '../../../ui/records/record-column.ts';
import { RecordTable } from '../../../ui/records/record-table.tsx';
import { Disabling, EnabledState } from './disabling.tsx';

const PAGE = 100;
const route = getRouteApi('/shell/accounts');

export function AllAccounts() {
  const say = useTranslations('access');
  const curl = useCurl();
  const navigate = useNavigate();
  const { everyone } = useSession();
  const { begins } = route.useSearch();
  const accounts = useInfiniteQuery({
    queryKey: ['access', 'accounts', begins],
    queryFn: ({ pageParam, signal }) =>
      everyone.operator.accountPage({ begins, marker: pageParam, limit: PAGE, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ marker }) => marker,
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
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
      <RecordTable
        label={say('accounts')}
        columns={columns}
        rows={accounts.data?.pages.flatMap(({ items }) => items)}
        rowKey={({ uid }) => `${uid}`}
        query={accounts}
        failure={say('children.failed')}
        empty={<p className="soft">{say('all.none')}</p>}
      />
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

function useColumns(): readonly RecordColumn<OperatorAccount>[] {
  const say = useTranslations('access');
  return [
    {
      id: 'account',
      header: say('account'),
      value: ({ email }) => email,
      cell: ({ email, parent_uid: parent }) => (
        <>
          {email} {parent !== 0 && <span className="quiet">{say('all.child', { uid: parent })}</span>}
        </>
      ),
    },
    { id: 'uid', header: say('uid'), kind: 'code', tone: 'quiet', width: 128 },
    {
      id: 'state',
      header: say('state'),
      width: 96,
      cell: ({ is_disabled: isDisabled }) => <EnabledState isDisabled={isDisabled} />,
    },
    { id: 'buckets', header: say('all.buckets'), kind: 'number', width: 96, onPhone: 'hidden' },
    { id: 'objects', header: say('all.objects'), kind: 'number', width: 112, onPhone: 'hidden' },
    { id: 'bytes', header: say('all.bytes'), kind: 'number', width: 112, format: bytes },
    { id: 'created', header: say('all.created'), kind: 'time', tone: 'quiet', width: 176, onPhone: 'hidden' },
    {
      id: 'actions',
      header: say('acts'),
      kind: 'actions',
      width: 160,
      cell: (account) => <AccountActions account={account} />,
    },
  ];
}

function AccountActions({
  account: { uid, email, is_disabled: isDisabled },
}: {
  readonly account: OperatorAccount;
}) {
  const say = useTranslations('access');
  const { everyone, uid: own } = useSession();
  const actFor = (
    <Link to="/" search={{ account: uid }} className="link">
      {say('all.open')}
    </Link>
  );
  if (uid === own) return actFor;
  return (
    <Disabling
      email={email}
      isDisabled={isDisabled}
      disable={(reason) => everyone.operator.disableAccount(uid, reason)}
      enable={() => everyone.operator.enableAccount(uid)}
    >
      {actFor}
    </Disabling>
  );
}
