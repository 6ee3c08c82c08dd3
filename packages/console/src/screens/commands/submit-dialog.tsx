/** The command as a persistent task: where its result goes, in which pipeline, and who is told. */
import { formatEntry } from '@millpond/protocol';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useWords } from '../../lib/words.ts';
import { AsCommand, shellWord } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useRerun } from '../tasks/detail/use-rerun.ts';
import type { Place } from './preview.tsx';

export function SubmitDialog({
  place: { bucket, key },
  command,
  close,
}: {
  readonly place: Place;
  readonly command: string;
  readonly close: () => void;
}) {
  const say = useWords('commands');
  const common = useWords('common');
  const { client, account } = useSession();
  const curl = useCurl();
  const id = useId();
  const { follow, waits } = useRerun();
  const [error, setError] = useState<unknown>();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void follow(() => client.processing.submit(submission)).catch(setError);
  };
  return (
    <Dialog
      wide
      title={say('submit.title')}
      isOpen
      close={close}
      foot={
        <>
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" form={id} waits={waits}>
            {say('submit.act')}
          </Button>
        </>
      }
    >
      <form id={id} className="form two-fields" onSubmit={submit}>
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
      </form>
      {error !== undefined && <Failure error={error} what={say('submit.failed')} />}
      <AsCommand
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
    </Dialog>
  );
}
