/** A new device: its id, and the password that it registers with. */
import type { DeviceFields, NamespaceRecord } from '@millpond/client/session';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Segments } from '../../ui/segments.tsx';
import { useAction } from '../../ui/use-action.ts';
import { quoted, useLiveCommands } from '../live/commands.ts';
import liveStyles from '../live/live.module.css';

export function NewDevice({
  namespaces,
  first,
  close,
}: {
  readonly namespaces: readonly NamespaceRecord[];
  readonly first: string;
  readonly close: () => void;
}) {
  const say = useTranslations('devices');
  const client = useClient();
  const navigate = useNavigate();
  const commands = useLiveCommands();
  const [ns, setNs] = useState(first);
  const [type, setType] = useState<1 | 2>(1);
  const [given, setGiven] = useState({ name: '', gbId: '', username: '', password: '' });
  const { name, gbId, username, password } = given;
  const fields: DeviceFields = {
    type,
    password,
    ...(name !== '' && { name }),
    ...(gbId !== '' && { gbId }),
    ...(username !== '' && { username }),
  };
  const create = useAction({
    act: () => client.live.devices(ns).create(fields),
    after: ({ gbId: made }) => {
      close();
      void navigate({
        to: '/devices/$ns/$gbId',
        params: { ns, gbId: made },
        search: ({ account }) => ({ account }),
      });
    },
    renews: [['devices']],
    failure: 'inline',
    isSecret: true,
  });
  const field = (of: keyof typeof given) => ({
    value: given[of],
    onChange: ({ target }: { target: { value: string } }) => setGiven({ ...given, [of]: target.value }),
    autoComplete: 'off',
    spellCheck: false,
  });
  const shown = { ...fields, password: '$PASSWORD' };
  return (
    <FormDialog
      title={say('new')}
      close={close}
      act={say('create')}
      isReady={password !== ''}
      waits={create.isPending}
      onSubmit={() => create.run()}
      error={create.error}
      failed={say('notCreated')}
      className={liveStyles.liveForm}
      below={
        <CommandTabs
          commands={commands({
            path: `/namespaces/${ns}/devices`,
            method: 'POST',
            json: shown,
            sdk: `const { gbId } = await client.live.devices(${quoted(ns)}).create(\n  ${JSON.stringify(shown)});`,
          })}
        />
      }
    >
      <Segments<'1' | '2'>
        label={say('type')}
        value={type === 1 ? '1' : '2'}
        options={[
          { value: '1', words: say('type.1') },
          { value: '2', words: say('type.2') },
        ]}
        onChange={(value) => setType(value === '2' ? 2 : 1)}
      />
      <p className="soft">{say(`typeWords.${type}`)}</p>
      {namespaces.length > 1 && (
        <SelectField
          label={say('namespace')}
          value={ns}
          options={namespaces.map(({ id, name: words }) => ({ value: id, words }))}
          onChange={({ target }) => setNs(target.value)}
        />
      )}
      <TextField label={say('name')} optional={say('optional')} maxLength={255} {...field('name')} />
      <TextField
        label={say('gbId')}
        optional={say('optional')}
        hint={say('gbIdHint')}
        pattern="\d{20}"
        inputMode="numeric"
        {...field('gbId')}
      />
      <TextField
        label={say('username')}
        optional={say('optional')}
        hint={say('usernameHint')}
        pattern="[A-Za-z0-9_.\-]{4,40}"
        {...field('username')}
      />
      <TextField
        label={say('password')}
        hint={say('passwordHint')}
        type="password"
        required
        minLength={4}
        maxLength={40}
        {...field('password')}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
