/** When an object is deleted by itself. */
import { operations } from '@millpond/client/session';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs, shellWord } from '../../../ui/as-command.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ActionDialog } from '../acts/act-dialog.tsx';

export function ChangeExpiry({
  bucket,
  objectKey,
  close,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly close: () => void;
}) {
  const say = useTranslations('objects');
  const client = useClient();
  const curl = useCurl();
  const [text, setText] = useState('30');
  const days = Number(text);
  const isReady = /^\d{1,5}$/.test(text);
  return (
    <ActionDialog
      title={say('expiry.title')}
      act={say(days === 0 ? 'expiry.never' : 'expiry.act')}
      bucket={bucket}
      close={close}
      isReady={isReady}
      onAct={() => client.objects.deleteAfterDays(bucket, objectKey, days)}
      done={say('expiry.done')}
    >
      <TextField
        label={say('expiry.days')}
        hint={say('expiry.hint')}
        inputMode="numeric"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <CommandTabs
        commands={{
          curl: curl({
            role: 'rs',
            method: 'POST',
            target: operations.deleteAfterDays(bucket, objectKey, days || 0),
          }),
          cli: `millpond meta ${shellWord(`:${bucket}/${objectKey}`)} --delete-after ${days || 0}`,
          sdk: `await client.objects.deleteAfterDays('${bucket}', ${JSON.stringify(objectKey)}, ${days || 0});`,
        }}
      />
    </ActionDialog>
  );
}
