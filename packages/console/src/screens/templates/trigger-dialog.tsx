/** A form for a new trigger. */
import type { Workflow } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { triggerCommand } from '../../lib/trigger-command.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useTemplatesAct } from './use-templates-act.ts';

export function TriggerDialog({
  templates,
  close,
}: {
  readonly templates: readonly Workflow[];
  readonly close: () => void;
}) {
  const say = useTranslations('templates');
  const session = useSession();
  const curl = useCurl();
  const { client, account } = session;
  const { isPending, error, run } = useTemplatesAct();
  const [fields, setFields] = useState({
    bucket: '',
    prefix: '',
    suffix: '',
    workflow: templates[0]?.name ?? '',
    notifyURL: '',
  });
  const [force, setForce] = useState(false);
  const buckets = useQuery({
    queryKey: ['buckets', account, 'names'],
    queryFn: ({ signal }) => client.buckets.names({ signal }),
    staleTime: 60_000,
  });
  const names = buckets.data ?? [];
  const bucket = fields.bucket === '' ? (names[0] ?? '') : fields.bucket;
  const trigger = {
    bucket,
    workflow: fields.workflow,
    ...(fields.prefix === '' ? {} : { prefix: fields.prefix }),
    ...(fields.suffix === '' ? {} : { suffix: fields.suffix }),
    ...(force ? { force } : {}),
    ...(fields.notifyURL === '' ? {} : { notifyURL: fields.notifyURL }),
  };
  const set = (name: keyof typeof fields) => ({
    value: name === 'bucket' ? bucket : fields[name],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  });
  const save = () =>
    run(async () => {
      await client.processing.addTrigger(trigger);
      close();
    });
  return (
    <FormDialog
      wide
      title={say('trigger.new')}
      close={close}
      act={say('trigger.save')}
      isReady={bucket !== ''}
      waits={isPending}
      onSubmit={save}
      error={error}
      failed={say('trigger.notMade')}
      hasTwoColumns
      below={
        <CommandTabs
          commands={{
            curl: curl({ role: 'api', target: '/v1/triggers', method: 'POST', json: trigger }),
            cli: triggerCommand(trigger),
            sdk: `await client.processing.addTrigger(${JSON.stringify(trigger, undefined, 2)});`,
          }}
        />
      }
    >
      <SelectField
        label={say('column.bucket')}
        options={names.map((name) => ({ value: name, words: name }))}
        {...set('bucket')}
      />
      <SelectField
        label={say('column.template')}
        options={templates.map(({ name }) => ({ value: name, words: name }))}
        {...set('workflow')}
      />
      <TextField label={say('trigger.prefix')} hint={say('trigger.prefixHint')} {...set('prefix')} />
      <TextField label={say('trigger.suffix')} hint={say('trigger.suffixHint')} {...set('suffix')} />
      <TextField
        label={say('column.notify')}
        hint={say('trigger.notifyHint')}
        type="url"
        placeholder="https://"
        {...set('notifyURL')}
      />
      <label className="row">
        <input type="checkbox" className="check" checked={force} onChange={() => setForce(!force)} />
        {say('trigger.force')}
      </label>
    </FormDialog>
  );
}
