/** A new child account. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useWords } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { TextField } from '../../../ui/field.tsx';

export function NewChild({ close }: { readonly close: () => void }) {
  const say = useWords('access');
  const common = useWords('common');
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
    <Dialog
      title={say('children.new')}
      isOpen
      close={close}
      foot={
        <>
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button
            kind="primary"
            waits={isPending}
            disabled={email === '' || password === ''}
            onClick={() => mutate()}
          >
            {say('children.make')}
          </Button>
        </>
      }
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
      {error !== null && <Failure error={error} />}
    </Dialog>
  );
}
