/** Whether an account may act, and changing that: two cells of a table. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { TextField } from '../../../ui/field.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import styles from '../access.module.css';

export function AccountState({ isDisabled }: { readonly isDisabled: boolean }) {
  const say = useTranslations('access');
  return (
    <td>
      <span className="state">
        <StatusMark state={isDisabled ? 'off' : 'ok'} />
        {say(isDisabled ? 'disabled' : 'enabled')}
      </span>
    </td>
  );
}

export function Disabling({
  email,
  isDisabled,
  disable,
  enable,
  children,
}: {
  readonly email: string;
  readonly isDisabled: boolean;
  readonly disable: (reason: string) => Promise<unknown>;
  readonly enable: () => Promise<unknown>;
  /** Further acts, before these. */
  readonly children?: ReactNode;
}) {
  const say = useTranslations('access');
  const queries = useQueryClient();
  const tell = useMessages();
  const [isAsked, setAsked] = useState(false);
  const [reason, setReason] = useState('');
  const changed = () => void queries.invalidateQueries({ queryKey: ['access'] });
  const { mutate, isPending } = useMutation({
    mutationFn: enable,
    onSuccess: changed,
    onError: (error) => tell({ words: error.message, state: 'bad' }),
  });
  const confirmed = async () => {
    await disable(reason || say('children.noReason'));
    changed();
  };
  return (
    <td className="actions">
      <span className={styles.both}>
        {children}
        <Button kind="link" waits={isPending} onClick={() => (isDisabled ? mutate() : setAsked(true))}>
          {say(isDisabled ? 'enable' : 'disable')}
        </Button>
      </span>
      <Confirm
        title={say('children.disable', { email })}
        act={say('disable')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        onConfirm={confirmed}
      >
        <p className="soft">{say('children.disable.words')}</p>
        <TextField label={say('reason')} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Confirm>
    </td>
  );
}
