/** Sends everything again since a time: what failed, or all of it. */
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../../ui/use-action.ts';

const HOURS = ['1', '6', '24', '168', '720'] as const;
const HOUR_MS = 3_600_000;

export function ResendDialog({
  kind,
  endpoint,
  close,
}: {
  readonly kind: 'recover' | 'replay' | undefined;
  readonly endpoint: string | undefined;
  readonly close: () => void;
}) {
  const say = useTranslations('deliveries');
  const curl = useCurl();
  const { client, serverNow } = useSession();
  const [hours, setHours] = useState('24');
  const since = new Date(serverNow() - Number(hours) * HOUR_MS).toISOString();
  const { run, isPending, error } = useAction({
    act: (act: 'recover' | 'replay') => client.deliveries[act]({ since, endpoint }),
    done: (count) => say('again.done', { count, number: number(count) }),
    after: close,
    renews: [['deliveries']],
    failure: 'inline',
  });
  if (kind === undefined) return null;
  const given = endpoint === undefined ? '' : ` --endpoint ${endpoint}`;
  return (
    <FormDialog
      title={say(`again.${kind}.title`)}
      close={close}
      act={say(`again.${kind}.do`)}
      waits={isPending}
      onSubmit={() => run(kind)}
      error={error}
      below={
        <CommandTabs
          commands={{
            curl: curl({ role: 'api', target: `/v1/deliveries/${kind}`, form: { since, endpoint } }),
            cli: `millpond deliveries ${kind} --since ${since}${given}`,
            sdk: `await client.deliveries.${kind}({ since: '${since}' });`,
          }}
        />
      }
    >
      <p className="soft">{say(`again.${kind}.words`)}</p>
      <SelectField
        label={say('again.since')}
        value={hours}
        onChange={(event) => setHours(event.target.value)}
        options={HOURS.map((value) => ({ value, words: say('again.hours', { count: Number(value) }) }))}
      />
    </FormDialog>
  );
}
