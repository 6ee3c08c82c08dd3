/** Changes the name of a device, its description, or its password. */
import type { DeviceRecord } from '@millpond/client/session';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useWords } from '../../lib/words.ts';
import { AsCommand } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { quoted, useLiveCommands } from '../live/commands.ts';

export function EditDevice({ device, close }: { readonly device: DeviceRecord; readonly close: () => void }) {
  const say = useWords('devices');
  const common = useWords('common');
  const form = useId();
  const client = useClient();
  const queries = useQueryClient();
  const commands = useLiveCommands();
  const { nsId, gbId } = device;
  const [name, setName] = useState(device.name);
  const [desc, setDesc] = useState(device.desc);
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () =>
      client.live.devices(nsId).change(gbId, { name, desc, ...(password !== '' && { password }) }),
    gcTime: 0,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['devices'] });
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Dialog
      title={say('editTitle', { name: device.name || gbId })}
      isOpen
      close={close}
      foot={
        <>
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" form={form} waits={change.isPending}>
            {say('save')}
          </Button>
        </>
      }
    >
      <form id={form} className="live-form" onSubmit={submit}>
        <TextField
          label={say('name')}
          maxLength={255}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={say('desc')}
          optional={say('optional')}
          maxLength={1000}
          value={desc}
          onChange={({ target }) => setDesc(target.value)}
        />
        <TextField
          label={say('newPassword')}
          optional={say('optional')}
          hint={say('newPasswordHint')}
          type="password"
          minLength={4}
          maxLength={40}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          autoComplete="new-password"
        />
      </form>
      {change.error !== null && <Failure error={change.error} what={say('notSaved')} />}
      <AsCommand
        commands={commands({
          path: `/namespaces/${nsId}/devices/${gbId}`,
          method: 'PATCH',
          json: { operations: [{ op: 'replace', key: 'name', value: name }] },
          sdk: `await client.live.devices(${quoted(nsId)}).change(${quoted(gbId)}, { name: ${quoted(name)} });`,
        })}
      />
    </Dialog>
  );
}
