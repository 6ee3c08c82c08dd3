/** A new stream. The server makes its key; its publisher's address is on its page. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import { quoted, useLiveCommands } from './commands.ts';
import styles from './live.module.css';

export function NewStream({
  ns,
  isOpen,
  close,
}: {
  readonly ns: string;
  readonly isOpen: boolean;
  readonly close: () => void;
}) {
  const say = useTranslations('live');
  const client = useClient();
  const navigate = useNavigate();
  const commands = useLiveCommands();
  const [streamId, setStreamId] = useState('');
  const [desc, setDesc] = useState('');
  const fields = { streamId, ...(desc !== '' && { desc }) };
  const create = useAction({
    act: () => client.live.streams(ns).create(fields),
    after: () => {
      close();
      void navigate({
        to: '/live/$ns/streams/$stream',
        params: { ns, stream: streamId },
        search: ({ account }) => ({ account }),
      });
    },
    renews: [['live']],
    failure: 'inline',
    // It comes with the key.
    isSecret: true,
  });
  const shown = streamId || 'stage-a';
  return (
    <FormDialog
      title={say('stream.new')}
      isOpen={isOpen}
      close={close}
      act={say('create')}
      isReady={streamId !== ''}
      waits={create.isPending}
      onSubmit={() => create.run()}
      error={create.error}
      failed={say('stream.notCreated')}
      className={styles.liveForm}
      below={
        <CommandTabs
          commands={commands({
            path: `/namespaces/${ns}/streams`,
            method: 'POST',
            json: { ...fields, streamId: shown },
            sdk: `await client.live.streams(${quoted(ns)}).create({ streamId: ${quoted(shown)} });`,
          })}
        />
      }
    >
      <TextField
        label={say('stream.id')}
        hint={say('nameRule')}
        value={streamId}
        onChange={({ target }) => setStreamId(target.value)}
        pattern="[A-Za-z0-9_\-]{1,100}"
        required
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label={say('desc')}
        optional={say('optional')}
        value={desc}
        onChange={({ target }) => setDesc(target.value)}
        maxLength={1000}
        autoComplete="off"
      />
    </FormDialog>
  );
}
