/** A form for a new trigger. */
import type { Workflow } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { triggerCommand } from '../../lib/trigger-command.ts';
import { useWords } from '../../lib/words.ts';
import { AsCommand } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useTemplatesAct } from './use-templates-act.ts';

export function TriggerDialog({
  templates,
  close,
}: {
  readonly templates: readonly Workflow[];
  readonly close: () => void;
}) {
  const say = useWords('templates');
  const common = useWords('common');
  const session = useSession();
  const curl = useCurl();
  const { client, account } = session;
  const id = useId();
  const { state, run } = useTemplatesAct();
  const [fields, setFields] = useState({
    bucket: '',
    prefix: '',
    suffix: '',
    workflow: templates[0]?.name ?? '',
    notifyURL: '',
  });
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
    ...(fields.notifyURL === '' ? {} : { notifyURL: fields.notifyURL }),
  };
  const set = (name: keyof typeof fields) => ({
    value: name === 'bucket' ? bucket : fields[name],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await client.processing.addTrigger(trigger);
      close();
    });
  };
  return (
    <Dialog
      wide
      title={say('trigger.new')}
      isOpen
      close={close}
      foot={
        <>
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" form={id} waits={state.waits} disabled={bucket === ''}>
            {say('trigger.save')}
          </Button>
        </>
      }
    >
      <form id={id} className="form two-fields" onSubmit={save}>
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
      </form>
      {state.error !== undefined && <Failure error={state.error} what={say('trigger.notMade')} />}
      <AsCommand
        commands={{
          curl: curl({ role: 'api', target: '/v1/triggers', method: 'POST', json: trigger }),
          cli: triggerCommand(trigger),
          sdk: `await client.processing.addTrigger(${JSON.stringify(trigger, undefined, 2)});`,
        }}
      />
    </Dialog>
  );
}
