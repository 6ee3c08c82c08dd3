/** Whether an account or a key may act, and changing that for an account: what two cells of a table show. */
import { type ReactNode, useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { TextField } from '../../../ui/field.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from '../access.module.css';

export function EnabledState({ isDisabled }: { readonly isDisabled: boolean }) {
  const say = useTranslations('access');
  return (
    <span className="state">
      <StatusMark state={isDisabled ? 'off' : 'ok'} />
      {say(isDisabled ? 'disabled' : 'enabled')}
    </span>
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
  const [isAsked, setAsked] = useState(false);
  const [reason, setReason] = useState('');
  const enabling = useAction({ act: enable, renews: [['access']] });
  return (
    <>
      <span className={styles.both}>
        {children}
        <Button
          kind="link"
          waits={enabling.isPending}
          onClick={() => (isDisabled ? void enabling.run() : setAsked(true))}
        >
          {say(isDisabled ? 'enable' : 'disable')}
        </Button>
      </span>
      <Confirm
        title={say('children.disable', { email })}
        act={say('disable')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        onConfirm={() => disable(reason || say('children.noReason'))}
        renews={[['access']]}
      >
        <p className="soft">{say('children.disable.words')}</p>
        <TextField label={say('reason')} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Confirm>
    </>
  );
}
