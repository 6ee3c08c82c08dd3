/** Changes what a key may do; everywhere within 5 s. */
import type { KeyLimits } from '@millpond/client/session';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useWords } from '../../../lib/words.ts';
import { AsCommand, shellWord } from '../../../ui/as-command.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
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
    <FormDialog
      title={say('limits.title')}
      close={close}
      act={say('limits.do')}
      waits={isPending}
      onSubmit={() => mutate()}
      error={error}
      below={
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
      }
    >
      <LimitFields value={written} onChange={setWritten} />
    </FormDialog>
  );
}
