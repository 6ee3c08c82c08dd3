/** Makes a frozen object readable for some days. */
import { operations } from '@millpond/client/session';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs, shellWord } from '../../../ui/as-command.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ActionDialog } from '../acts/act-dialog.tsx';

export const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

export function RestoreObject({
  bucket,
  objectKey,
  type,
  close,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly type: number;
  readonly close: () => void;
}) {
  const say = useTranslations('objects');
  const client = useClient();
  const curl = useCurl();
  const [days, setDays] = useState('1');
  return (
    <ActionDialog
      title={say('restore.title')}
      act={say('act.restore')}
      bucket={bucket}
      close={close}
      onAct={() => client.objects.restore(bucket, objectKey, Number(days))}
      done={say('restore.done')}
    >
      <p className="soft">{say(type === 3 ? 'restore.hours' : 'restore.minutes')}</p>
      <SelectField
        label={say('restore.days')}
        value={days}
        options={DAYS.map((each) => ({ value: String(each), words: say('days', { count: each }) }))}
        onChange={({ target }) => setDays(target.value)}
      />
      <CommandTabs
        commands={{
          curl: curl({
            role: 'rs',
            method: 'POST',
            target: operations.restore(bucket, objectKey, Number(days)),
          }),
          cli: `millpond restore --days ${days} ${shellWord(`:${bucket}/${objectKey}`)}`,
          sdk: `await client.objects.restore('${bucket}', ${JSON.stringify(objectKey)}, ${days});`,
        }}
      />
    </ActionDialog>
  );
}
