/** Changes the name of a device, its description, or its password. */
import type { DeviceRecord } from '@millpond/client/session';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import { quoted, useLiveCommands } from '../live/commands.ts';
import liveStyles from '../live/live.module.css';

export function EditDevice({ device, close }: { readonly device: DeviceRecord; readonly close: () => void }) {
  const say = useTranslations('devices');
  const client = useClient();
  const commands = useLiveCommands();
  const { nsId, gbId } = device;
  const [name, setName] = useState(device.name);
  const [desc, setDesc] = useState(device.desc);
  const [password, setPassword] = useState('');
  const change = useAction({
    act: () => client.live.devices(nsId).change(gbId, { name, desc, ...(password !== '' && { password }) }),
    after: close,
    renews: [['devices']],
    failure: 'inline',
    isSecret: true,
  });
  return (
    <FormDialog
      title={say('editTitle', { name: device.name || gbId })}
      close={close}
      act={say('save')}
      waits={change.isPending}
      onSubmit={() => change.run()}
      error={change.error}
      failed={say('notSaved')}
      className={liveStyles.liveForm}
      below={
        <CommandTabs
          commands={commands({
            path: `/namespaces/${nsId}/devices/${gbId}`,
            method: 'PATCH',
            json: { operations: [{ op: 'replace', key: 'name', value: name }] },
            sdk: `await client.live.devices(${quoted(nsId)}).change(${quoted(gbId)}, { name: ${quoted(name)} });`,
          })}
        />
      }
    >
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
    </FormDialog>
  );
}
