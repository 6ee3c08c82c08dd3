/** A new child account. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';

export function NewChild({ close }: { readonly close: () => void }) {
  const say = useTranslations('access');
  const { client } = useSession();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.accounts.createChild(email, password),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['access'] });
      close();
    },
  });
  return (
    <FormDialog
      title={say('children.new')}
      close={close}
      act={say('children.make')}
      isReady={email !== '' && password !== ''}
      waits={isPending}
      onSubmit={() => mutate()}
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
