/** Changes what a key may do; everywhere within 5 s. */
import type { KeyLimits } from '@millpond/client/session';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useWords } from '../../../lib/words.ts';
import { AsCommand, shellWord } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { LimitFields } from './limit-fields.tsx';
import { limitsOf, optionsOf, writtenOf } from './limit-words.ts';

export function LimitKey({
  accessKey,
  limits,
  close,
}: {
  readonly accessKey: string;
  readonly limits: KeyLimits;
  readonly close: () => void;
}) {
  const say = useWords('access');
  const curl = useCurl();
  const common = useWords('common');
  const { client } = useSession();
  const queries = useQueryClient();
  const [written, setWritten] = useState(() => writtenOf(limits));
  const next = limitsOf(written);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.accounts.limitKey(accessKey, next),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['access'] });
      close();
    },
  });
  const json = JSON.stringify(next);
  return (
    <Dialog
      title={say('limits.title')}
      isOpen
      close={close}
      foot={
        <>
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button kind="primary" waits={isPending} onClick={() => mutate()}>
            {say('limits.do')}
          </Button>
        </>
      }
    >
      <LimitFields value={written} onChange={setWritten} />
      {error !== null && <Failure error={error} />}
      <AsCommand
        commands={{
          curl: curl({
            role: 'api',
            target: '/v1/user/limit_key',
            form: { key: accessKey, limits: json },
            signed: true,
          }),
          cli: ['millpond key limit', accessKey, ...optionsOf(next).map(shellWord)].join(' '),
          sdk: `await client.accounts.limitKey('${accessKey}', ${json});`,
        }}
      />
    </Dialog>
  );
}
