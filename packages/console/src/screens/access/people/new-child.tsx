/** A new child account. */
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { useAction } from '../../../ui/use-action.ts';

export function NewChild({ close }: { readonly close: () => void }) {
  const say = useTranslations('access');
  const { client } = useSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { run, isPending, error } = useAction({
    act: () => client.accounts.createChild(email, password),
    after: close,
    renews: [['access']],
    failure: 'inline',
  });
  return (
    <FormDialog
      title={say('children.new')}
      close={close}
      act={say('children.make')}
      isReady={email !== '' && password !== ''}
      waits={isPending}
      onSubmit={() => run()}
      error={error}
    >
      <p className="soft">{say('children.new.words')}</p>
      <TextField
        label={say('email')}
        type="email"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={say('password')}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}
