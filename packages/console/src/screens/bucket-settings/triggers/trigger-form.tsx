/** A new trigger as a form. */
import type { Trigger } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import styles from '../bucket-settings.module.css';
import { RuleDialog } from '../rule-dialog.tsx';

export function TriggerForm({
  bucket,
  close,
  save,
}: {
  readonly bucket: string;
  readonly close: () => void;
  readonly save: (trigger: Omit<Trigger, 'id'>) => Promise<unknown>;
}) {
  const say = useTranslations('bucket-settings');
  const { client, account } = useSession();
  const { data } = useQuery({
    queryKey: ['bucket-settings', account, 'workflows'],
    queryFn: ({ signal }) => client.processing.workflows({ signal }),
  });
  const [fields, setFields] = useState({ workflow: '', prefix: '', suffix: '', notifyURL: '' });
  const [force, setForce] = useState(false);
  const { notifyURL, ...rest } = fields;
  const workflow = rest.workflow || data?.[0]?.name || '';
  const text = (field: keyof typeof fields) => ({
    value: fields[field],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [field]: event.target.value }),
  });
  return (
    <RuleDialog
      title={say('triggers.new')}
      close={close}
      save={() =>
        save({
          bucket,
          ...rest,
          workflow,
          ...(force ? { force } : {}),
          ...(notifyURL === '' ? {} : { notifyURL }),
        })
      }
    >
      <SelectField
        label={say('triggers.workflow')}
        hint={
          data?.length === 0
            ? say('triggers.noWorkflow')
            : data?.find(({ name }) => name === workflow)?.commands
        }
        options={(data ?? []).map(({ name }) => ({ value: name, words: name }))}
        {...text('workflow')}
        value={workflow}
        required
      />
      <div className={styles.twoColumns}>
        <TextField label={say('prefix')} placeholder="uploads/" {...text('prefix')} />
        <TextField label={say('suffix')} placeholder=".mp4" {...text('suffix')} />
      </div>
      <TextField
        label={say('triggers.notify')}
        optional={say('optional')}
        type="url"
        placeholder="https://app.example.com/hooks/task"
        {...text('notifyURL')}
      />
      <label className="row">
        <input type="checkbox" className="check" checked={force} onChange={() => setForce(!force)} />
        {say('triggers.force')}
      </label>
    </RuleDialog>
  );
}
