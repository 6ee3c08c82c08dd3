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
import { RecordTable } from '../../../ui/records/record-table.tsx';
import { Screen } from '../../../ui/screen.tsx';
import styles from '../access.module.css';
import { AccessTabs } from '../tabs.tsx';
import { AllAccounts } from './all-accounts.tsx';
import { Disabling, EnabledState } from './disabling.tsx';
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
  const children = useQuery({
    queryKey: ['access', account, 'children'],
    queryFn: ({ signal }) => client.accounts.children({ signal }),
  });
  return (
    <>
      <RecordTable<AccountRecord>
        label={say('accounts')}
        columns={[
          { id: 'email', header: say('account') },
          { id: 'uid', header: say('uid'), kind: 'code', tone: 'quiet', width: 160 },
          {
            id: 'state',
            header: say('state'),
            width: 112,
            cell: ({ is_disabled: isDisabled }) => <EnabledState isDisabled={isDisabled} />,
          },
          {
            id: 'actions',
            header: say('acts'),
            kind: 'actions',
            width: 112,
            cell: ({ uid, email, is_disabled: isDisabled }) => (
              <Disabling
                email={email}
                isDisabled={isDisabled}
                disable={(reason) => client.accounts.disableChild(uid, reason)}
                enable={() => client.accounts.enableChild(uid)}
              />
            ),
          },
        ]}
        rows={children.data}
        rowKey={({ uid }) => `${uid}`}
        query={children}
        failure={say('children.failed')}
        empty={<Empty title={say('children.none')} words={say('children.none.words')} />}
      />
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

export const AccountsScreen = createLazyRoute('/shell/accounts')({ component: Accounts });
