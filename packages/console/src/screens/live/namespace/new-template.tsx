/** A template: which bucket recordings or snapshots go to, when they are made, and for how long they are kept. */

import type { TemplateFields } from '@millpond/client/session';
import { MAX_OBJECT_DAYS } from '@millpond/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useLiveCommands } from '../commands.ts';
import styles from '../live.module.css';
import type { TemplateKind } from './template-kind.ts';

export function NewTemplate({
  kind,
  close,
  onMade,
}: {
  readonly kind: TemplateKind;
  readonly close: () => void;
  readonly onMade: (id: string) => void;
}) {
  const say = useTranslations('live');
  const { client, account } = useSession();
  const commands = useLiveCommands();
  const { data: buckets = [] } = useQuery({
    queryKey: ['live', account, 'buckets'],
    queryFn: ({ signal }) => client.buckets.names({ signal }),
  });
  const [name, setName] = useState('');
  const [bucket, setBucket] = useState('');
  const [days, setDays] = useState(30);
  const [recordType, setRecordType] = useState<1 | 2>(1);
  const [interval, setInterval] = useState(10);
  const fields: TemplateFields = {
    name,
    bucket: bucket || (buckets[0] ?? ''),
    deleteAfterDays: days,
    ...(kind === 'record'
      ? { templateType: 0 as const, recordType }
      : {
          templateType: 1 as const,
          snapInterval: interval,
          // One picture that is replaced: it costs no space, and lists show it.
          jpgOverwriteStatus: true,
          jpgSequenceStatus: false,
        }),
  };
  const create = useAction({
    act: () => client.live.createTemplate(fields),
    after: ({ id }) => {
      onMade(id);
      close();
    },
    renews: [['live', account, 'templates']],
    failure: 'inline',
  });
  return (
    <FormDialog
      title={say(`template.new.${kind}`)}
      close={close}
      act={say('create')}
      isReady={name !== '' && fields.bucket !== ''}
      waits={create.isPending}
      onSubmit={() => create.run()}
      error={create.error}
      failed={say('template.notCreated')}
      className={styles.liveForm}
      below={
        <CommandTabs
          commands={commands({
            path: '/templates',
            method: 'POST',
            json: { ...fields, name: name || 'keep' },
            sdk: `const { id } = await client.live.createTemplate(\n  ${JSON.stringify({ ...fields, name: name || 'keep' })});`,
          })}
        />
      }
    >
      <TextField
        label={say('template.name')}
        hint={say('nameRule')}
        value={name}
        onChange={({ target }) => setName(target.value)}
        pattern="[A-Za-z0-9_\-]{1,100}"
        required
        autoComplete="off"
        spellCheck={false}
      />
      <SelectField
        label={say('template.bucket')}
        value={fields.bucket}
        options={buckets.map((value) => ({ value, words: value }))}
        onChange={({ target }) => setBucket(target.value)}
      />
      {kind === 'record' ? (
        <SelectField
          label={say('template.when')}
          value={String(recordType)}
          options={([1, 2] as const).map((type) => ({
            value: String(type),
            words: say(`template.record.${type}`),
          }))}
          onChange={({ target }) => setRecordType(target.value === '2' ? 2 : 1)}
        />
      ) : (
        <TextField
          label={say('template.interval')}
          hint={say('template.intervalHint')}
          type="number"
          min={0}
          max={86_400}
          value={interval}
          onChange={({ target }) => setInterval(Number(target.value))}
        />
      )}
      <TextField
        label={say('template.days')}
        hint={say('template.daysHint')}
        type="number"
        min={0}
        max={MAX_OBJECT_DAYS}
        value={days}
        onChange={({ target }) => setDays(Number(target.value))}
      />
    </FormDialog>
  );
}
