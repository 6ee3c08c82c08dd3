/** Changes what a key may do; everywhere within 5 s. */
import type { KeyLimits } from '@millpond/client/session';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs, shellWord } from '../../../ui/as-command.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { LimitFields } from './limit-fields.tsx';
import { limitsOf, missingIn, optionsOf, writtenOf } from './limit-words.ts';

export function LimitKey({
  accessKey,
  limits,
  close,
}: {
  readonly accessKey: string;
  /** Undefined: none. */
  readonly limits: KeyLimits | undefined;
  readonly close: () => void;
}) {
  const say = useTranslations('access');
  const curl = useCurl();
  const { client } = useSession();
  const [kind, setKind] = useState<'limited' | 'unlimited'>(limits === undefined ? 'unlimited' : 'limited');
  const [written, setWritten] = useState(() => writtenOf(limits ?? {}));
  const [isTried, setTried] = useState(false);
  const missing = kind === 'limited' ? missingIn(written) : undefined;
  const next = kind === 'limited' ? limitsOf(written) : kind;
  const { run, isPending, error } = useAction({
    act: () => client.accounts.limitKey(accessKey, next),
    after: close,
    renews: [['access']],
    failure: 'inline',
  });
  const options = next === 'unlimited' ? ['--unlimited'] : optionsOf(next);
  const text = next === 'unlimited' ? next : JSON.stringify(next);
  return (
    <FormDialog
      title={say('limits.title')}
      close={close}
      act={say('limits.do')}
      waits={isPending}
      onSubmit={() => {
        setTried(true);
        if (missing === undefined) void run();
      }}
      error={error}
      below={
        missing === undefined && (
          <CommandTabs
            commands={{
              curl: curl({
                role: 'api',
                target: '/v1/user/limit_key',
                form: { key: accessKey, limits: text },
                signed: true,
              }),
              cli: ['millpond key limit', accessKey, ...options.map(shellWord)].join(' '),
              sdk: `await client.accounts.limitKey('${accessKey}', ${next === 'unlimited' ? `'${text}'` : text});`,
            }}
          />
        )
      }
    >
      <Segments
        label={say('limits')}
        value={kind}
        options={[
          { value: 'limited', words: say('keys.new.limited') },
          { value: 'unlimited', words: say('limits.none') },
        ]}
        onChange={setKind}
      />
      {kind === 'limited' ? (
        <LimitFields value={written} missing={isTried ? missing : undefined} onChange={setWritten} />
      ) : (
        <p className="soft">{say('limits.none.words')}</p>
      )}
    </FormDialog>
  );
}
