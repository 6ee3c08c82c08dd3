/** Sends everything again since a time: what failed, or all of it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useMessages } from '../../ui/messages.tsx';

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
  const queries = useQueryClient();
  const tell = useMessages();
  const [hours, setHours] = useState('24');
  const since = new Date(serverNow() - Number(hours) * HOUR_MS).toISOString();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (act: 'recover' | 'replay') => client.deliveries[act]({ since, endpoint }),
    onSuccess: (count) => {
      tell({ words: say('again.done', { count, number: number(count) }) });
      void queries.invalidateQueries({ queryKey: ['deliveries'] });
      close();
    },
  });
  if (kind === undefined) return null;
  const given = endpoint === undefined ? '' : ` --endpoint ${endpoint}`;
  return (
    <FormDialog
      title={say(`again.${kind}.title`)}
      close={close}
      act={say(`again.${kind}.do`)}
      waits={isPending}
      onSubmit={() => mutate(kind)}
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
