/** The command as a persistent task: where its result goes, in which pipeline, and who is told. */
import { formatEntry } from '@millpond/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useRerun } from '../tasks/detail/use-rerun.ts';
import type { ObjectRef } from './preview.tsx';

export function SubmitDialog({
  place: { bucket, key },
  command,
  close,
}: {
  readonly place: ObjectRef;
  readonly command: string;
  readonly close: () => void;
}) {
  const say = useTranslations('commands');
  const { client, account } = useSession();
  const curl = useCurl();
  const { follow, isPending, error } = useRerun('inline');
  const [saveAs, setSaveAs] = useState('');
  const [pipeline, setPipeline] = useState('');
  const [notifyURL, setNotify] = useState('');
  const [force, setForce] = useState(false);
  const pipelines = useQuery({
    queryKey: ['pipelines', account],
    queryFn: ({ signal }) => client.processing.pipelines({ signal }),
  });
  const isNamed = /(?:^|\|)saveas(?:\/|$)/.test(command) || command.includes(';');
  const fops = saveAs === '' || isNamed ? command : `${command}|saveas/${formatEntry(bucket, saveAs)}`;
  const submission = {
    bucket,
    key,
    fops,
    ...(pipeline === '' ? {} : { pipeline }),
    ...(notifyURL === '' ? {} : { notifyURL }),
    ...(force ? { force } : {}),
  };
  const submit = () => follow(() => client.processing.submit(submission));
  return (
    <FormDialog
      wide
      title={say('submit.title')}
      close={close}
      act={say('submit.act')}
      waits={isPending}
      onSubmit={submit}
      error={error}
      failed={say('submit.failed')}
      below={
        <CommandTabs
          commands={{
            curl: curl({
              role: 'api',
              target: '/pfop/',
              method: 'POST',
              form: { ...submission, force: force ? 1 : 0 },
            }),
            cli: [
              `millpond pfop ${shellWord(`:${bucket}/${key}`)} --fops ${shellWord(command)}`,
              ...(saveAs === '' || isNamed ? [] : [`--save-as ${shellWord(`${bucket}/${saveAs}`)}`]),
              ...(pipeline === '' ? [] : [`--pipeline ${shellWord(pipeline)}`]),
              ...(notifyURL === '' ? [] : [`--notify ${shellWord(notifyURL)}`]),
              ...(force ? ['--force'] : []),
              '--wait',
            ].join(' \\\n  '),
            sdk: `const id = await client.processing.submit(${JSON.stringify(submission, undefined, 2)});`,
          }}
        />
      }
    >
      {!isNamed && (
        <TextField
          label={say('submit.saveAs')}
          hint={say('submit.saveAsHint', { bucket })}
          value={saveAs}
          spellCheck={false}
          onChange={(event) => setSaveAs(event.target.value)}
        />
      )}
      <SelectField
        label={say('submit.pipeline')}
        value={pipeline}
        options={[
          { value: '', words: say('submit.shared') },
          ...(pipelines.data ?? []).map(({ name }) => ({ value: name, words: name })),
        ]}
        onChange={(event) => setPipeline(event.target.value)}
      />
      <TextField
        label={say('submit.notify')}
        hint={say('submit.notifyHint')}
        type="url"
        placeholder="https://"
        value={notifyURL}
        onChange={(event) => setNotify(event.target.value)}
      />
      <label className="row">
        <input
          type="checkbox"
          className="check"
          checked={force}
          onChange={(event) => setForce(event.target.checked)}
        />
        {say('submit.force')}
      </label>
    </FormDialog>
  );
}
