/** Child accounts: making them, and disabling what should not sign any more. */
import type { AccountRecord } from '@millpond/client/session';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useWords } from '../../../lib/words.ts';
import { AsCommand } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Mark } from '../../../ui/mark.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { AccessTabs } from '../tabs.tsx';
import { NewChild } from './new-child.tsx';
import '../access.css';

function Accounts() {
  const say = useWords('access');
  const { client, account, parentUid } = useSession();
  const [isNew, setNew] = useState(false);
  const isParent = parentUid === 0;
  const { data, error, refetch } = useQuery({
    queryKey: ['access', account, 'children'],
    queryFn: ({ signal }) => client.accounts.children({ signal }),
    enabled: isParent,
  });
  return (
    <Screen
      title={say('accounts')}
      className="s-access"
      acts={
        isParent && (
          <Button kind="primary" icon={<Plus className="i" aria-hidden />} onClick={() => setNew(true)}>
            {say('children.new')}
          </Button>
        )
      }
    >
      <AccessTabs />
      <div className="w">
        {!isParent && <p className="note">{say('children.notHere')}</p>}
        {error !== null && (
          <Failure error={error} what={say('children.failed')} again={() => void refetch()} />
        )}
        {data?.length === 0 && <Empty title={say('children.none')} words={say('children.none.words')} />}
        {data !== undefined && data.length > 0 && (
          <table className="table">
            <thead>
              <tr>
                <th>{say('account')}</th>
                <th className="w-40">{say('uid')}</th>
                <th className="w-28">{say('state')}</th>
                <th className="w-28">
                  <span className="vh">{say('acts')}</span>
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
        <section className="sec">
          <AsCommand
            commands={{
              curl: '# account calls are signed: see the guide on signing\nGET /v1/user/children',
              cli: '# in a program: account calls have no command of their own',
              sdk: "await client.accounts.children();\nawait client.accounts.createChild('app@example.com', password);",
            }}
            first="sdk"
          />
        </section>
      </div>
      {isNew && <NewChild close={() => setNew(false)} />}
    </Screen>
  );
}

function Child({ child: { uid, email, is_disabled: isDisabled } }: { readonly child: AccountRecord }) {
  const say = useWords('access');
  const { client } = useSession();
  const queries = useQueryClient();
  const tell = useMessages();
  const [isAsked, setAsked] = useState(false);
  const [reason, setReason] = useState('');
  const changed = () => void queries.invalidateQueries({ queryKey: ['access'] });
  const enable = useMutation({
    mutationFn: () => client.accounts.enableChild(uid),
    onSuccess: changed,
    onError: (error) => tell({ words: error.message, state: 'bad' }),
  });
  const disable = async () => {
    await client.accounts.disableChild(uid, reason || say('children.noReason'));
    changed();
  };
  return (
    <tr>
      <td>{email}</td>
      <td className="mono quiet">{uid}</td>
      <td>
        <span className="st">
          <Mark state={isDisabled ? 'off' : 'ok'} />
          {say(isDisabled ? 'disabled' : 'enabled')}
        </span>
      </td>
      <td className="acts">
        <Button
          kind="link"
          waits={enable.isPending}
          onClick={() => (isDisabled ? enable.mutate() : setAsked(true))}
        >
          {say(isDisabled ? 'enable' : 'disable')}
        </Button>
        <Confirm
          title={say('children.disable', { email })}
          act={say('disable')}
          isOpen={isAsked}
          close={() => setAsked(false)}
          onConfirm={disable}
        >
          <p className="soft">{say('children.disable.words')}</p>
          <TextField
            label={say('reason')}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Confirm>
      </td>
    </tr>
  );
}

export const AccountsScreen = createLazyRoute('/shell/accounts')({ component: Accounts });
