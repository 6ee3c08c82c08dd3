/** Child accounts: making them, and disabling what should not sign any more. Operators see all accounts. */
import type { AccountRecord } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useActingAccount } from '../../../app/scope/use-acted-for.ts';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Screen } from '../../../ui/screen.tsx';
import styles from '../access.module.css';
import { AccessTabs } from '../tabs.tsx';
import { AllAccounts } from './all-accounts.tsx';
import { AccountState, Disabling } from './disabling.tsx';
import { NewChild } from './new-child.tsx';

function Accounts() {
  const say = useTranslations('access');
  const { account, operator, parentUid } = useSession();
  const [isNew, setNew] = useState(false);
  const acted = useActingAccount();
  const parent = acted === undefined ? parentUid : acted.parentUid;
  const isParent = parent === 0;
  return (
    <Screen
      title={say('accounts')}
      className={styles.screen}
      acts={
        isParent && (
          <Button kind="primary" icon={<Plus className="icon" aria-hidden />} onClick={() => setNew(true)}>
            {say('children.new')}
          </Button>
        )
      }
    >
      <AccessTabs />
      <div className={styles.sections}>
        {operator && account === undefined ? (
          <AllAccounts />
        ) : isParent ? (
          <Children />
        ) : (
          parent !== undefined && <p className="note">{say('children.notHere')}</p>
        )}
      </div>
      {isNew && <NewChild close={() => setNew(false)} />}
    </Screen>
  );
}

function Children() {
  const say = useTranslations('access');
  const curl = useCurl();
  const { client, account } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['access', account, 'children'],
    queryFn: ({ signal }) => client.accounts.children({ signal }),
  });
  return (
    <>
      {error !== null && <Failure error={error} what={say('children.failed')} again={() => void refetch()} />}
      {data?.length === 0 && <Empty title={say('children.none')} words={say('children.none.words')} />}
      {data !== undefined && data.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th>{say('account')}</th>
              <th style={{ width: 160 }}>{say('uid')}</th>
              <th style={{ width: 112 }}>{say('state')}</th>
              <th style={{ width: 112 }}>
                <span className="visually-hidden">{say('acts')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((child) => (
              <Child key={child.uid} child={child} />
            ))}
          </tbody>
        </table>
      )}
      <section className="section">
        <CommandTabs
          commands={{
            curl: curl({ role: 'api', target: '/v1/user/children', signed: true }),
            sdk: "await client.accounts.children();\nawait client.accounts.createChild('app@example.com', password);",
          }}
          first="sdk"
        />
      </section>
    </>
  );
}

function Child({ child: { uid, email, is_disabled: isDisabled } }: { readonly child: AccountRecord }) {
  const { client } = useSession();
  return (
    <tr>
      <td title={email}>{email}</td>
      <td className="mono quiet">{uid}</td>
      <AccountState isDisabled={isDisabled} />
      <Disabling
        email={email}
        isDisabled={isDisabled}
        disable={(reason) => client.accounts.disableChild(uid, reason)}
        enable={() => client.accounts.enableChild(uid)}
      />
    </tr>
  );
}

export const AccountsScreen = createLazyRoute('/shell/accounts')({ component: Accounts });
