/** A new namespace. What it holds can't be changed later. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { quoted, useLiveCommands } from '../commands.ts';
import styles from '../live.module.css';

export type NamespaceKind = 'rtmp' | 'gb28181';

export function NewNamespace({
  isOpen,
  close,
  kind: first = 'rtmp',
}: {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly kind?: NamespaceKind;
}) {
  const say = useTranslations('live');
  const client = useClient();
  const navigate = useNavigate();
  const commands = useLiveCommands();
  const [kind, setKind] = useState<NamespaceKind>(first);
  const [name, setName] = useState('');
  const [callback, setCallback] = useState('');
  const fields = { name, accessType: kind, ...(callback !== '' && { callback }) };
  const create = useAction({
    act: () => client.live.createNamespace(fields),
    after: ({ id }) => {
      close();
      void (kind === 'rtmp'
        ? navigate({ to: '/live/$ns', params: { ns: id }, search: ({ account }) => ({ account }) })
        : navigate({ to: '/devices', search: ({ account }) => ({ account, ns: id }) }));
    },
    renews: [['live']],
    failure: 'inline',
  });
  return (
    <FormDialog
      title={say('ns.new')}
      isOpen={isOpen}
      close={close}
      act={say('create')}
      isReady={name !== ''}
      waits={create.isPending}
      onSubmit={() => create.run()}
      error={create.error}
      failed={say('ns.notCreated')}
      className={styles.liveForm}
      below={
        <CommandTabs
          commands={commands({
            path: '/namespaces',
            method: 'POST',
            json: { ...fields, name: name || 'studio' },
            sdk: `const { id } = await client.live.createNamespace({\n  name: ${quoted(name || 'studio')}, accessType: '${kind}' });`,
          })}
        />
      }
    >
      <Segments
        label={say('ns.kind')}
        value={kind}
        options={(['rtmp', 'gb28181'] as const).map((value) => ({
          value,
          words: say(`ns.kind.${value}`),
        }))}
        onChange={setKind}
      />
      <p className="soft">{say(`ns.kindWords.${kind}`)}</p>
      <TextField
        label={say('ns.name')}
        hint={say('nameRule')}
        value={name}
        onChange={({ target }) => setName(target.value)}
        pattern="[A-Za-z0-9_\-]{1,100}"
        required
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label={say('ns.callback')}
        optional={say('optional')}
        hint={say('ns.callbackHint')}
        value={callback}
        onChange={({ target }) => setCallback(target.value)}
        placeholder="https://example.com/events"
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  );
}
