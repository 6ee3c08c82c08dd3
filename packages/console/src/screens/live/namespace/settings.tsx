/** The settings of a namespace: its receiver, how publishers prove themselves, how recordings and snapshots are kept. */
import type { NamespaceRecord } from '@millpond/client/session';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { quoted, useLiveCommands } from '../commands.ts';
import styles from '../live.module.css';
import { TemplateField } from './template-field.tsx';

const FIELDS = [
  'name',
  'desc',
  'callback',
  'offlineDelay',
  'rtmpUrlType',
  'recordTemplateId',
  'snapshotTemplateId',
  'recordTemplateApplyAll',
  'snapshotTemplateApplyAll',
] as const;
type Fields = Pick<NamespaceRecord, (typeof FIELDS)[number]>;

function changedOf(before: NamespaceRecord, after: Fields): Partial<Fields> {
  return Object.fromEntries(
    FIELDS.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]),
  );
}

export function NamespaceSettings({ namespace }: { readonly namespace: NamespaceRecord }) {
  const say = useTranslations('live');
  const client = useClient();
  const commands = useLiveCommands();
  const [edited, setEdited] = useState<Fields>(namespace);
  const { id } = namespace;
  const change = changedOf(namespace, edited);
  const isChanged = Object.keys(change).length > 0;
  const save = useAction({
    act: () => client.live.changeNamespace(id, change),
    done: () => say('saved'),
    renews: [['live']],
    failure: 'inline',
  });
  const set = (fields: Partial<Fields>) => setEdited({ ...edited, ...fields });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.run();
  };
  const shown = isChanged ? change : { offlineDelay: edited.offlineDelay };
  return (
    <div className={styles.settings}>
      <form className={styles.liveForm} onSubmit={submit}>
        <TextField
          label={say('ns.name')}
          hint={say('nameRule')}
          value={edited.name}
          onChange={({ target }) => set({ name: target.value })}
          pattern="[A-Za-z0-9_\-]{1,100}"
          required
        />
        <TextField
          label={say('desc')}
          optional={say('optional')}
          value={edited.desc}
          onChange={({ target }) => set({ desc: target.value })}
          maxLength={1000}
        />
        <TextField
          label={say('ns.callback')}
          hint={say('ns.callbackHint')}
          optional={say('optional')}
          value={edited.callback}
          onChange={({ target }) => set({ callback: target.value })}
          spellCheck={false}
        />
        <TextField
          label={say('ns.offlineDelay')}
          hint={say('ns.offlineDelayHint')}
          type="number"
          min={0}
          max={60}
          required
          value={edited.offlineDelay}
          onChange={({ target }) => set({ offlineDelay: Number(target.value) })}
        />
        {namespace.accessType === 'rtmp' && (
          <SelectField
            label={say('ns.urlType')}
            hint={say('ns.urlTypeHint')}
            value={String(edited.rtmpUrlType)}
            options={([1, 2] as const).map((type) => ({
              value: String(type),
              words: say(`ns.urlType.${type}`),
            }))}
            onChange={({ target }) => set({ rtmpUrlType: target.value === '2' ? 2 : 1 })}
          />
        )}
        <TemplateField
          kind="record"
          value={edited.recordTemplateId}
          isForAll={edited.recordTemplateApplyAll}
          onChange={(recordTemplateId, recordTemplateApplyAll) =>
            set({ recordTemplateId, recordTemplateApplyAll })
          }
        />
        <TemplateField
          kind="snapshot"
          value={edited.snapshotTemplateId}
          isForAll={edited.snapshotTemplateApplyAll}
          onChange={(snapshotTemplateId, snapshotTemplateApplyAll) =>
            set({ snapshotTemplateId, snapshotTemplateApplyAll })
          }
        />
        {save.error !== null && <Failure error={save.error} what={say('notSaved')} />}
        <div className="row">
          <Button kind="primary" type="submit" waits={save.isPending} disabled={!isChanged}>
            {say('save')}
          </Button>
          <Button disabled={!isChanged} onClick={() => setEdited(namespace)}>
            {say('undo')}
          </Button>
        </div>
      </form>
      <CommandTabs
        commands={commands({
          path: `/namespaces/${id}`,
          method: 'PATCH',
          json: {
            operations: Object.entries(shown).map(([key, value]) => ({ op: 'replace', key, value })),
          },
          sdk: `await client.live.changeNamespace(${quoted(id)}, ${JSON.stringify(shown)});`,
        })}
      />
      <Danger namespace={namespace} />
    </div>
  );
}

function Danger({ namespace }: { readonly namespace: NamespaceRecord }) {
  const say = useTranslations('live');
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const commands = useLiveCommands();
  const [asked, setAsked] = useState<'disable' | 'remove' | undefined>();
  const { id, name, disabled } = namespace;
  const renewed = () => queries.invalidateQueries({ queryKey: ['live'] });
  const enable = useAction({
    act: () => client.live.enableNamespace(id),
    renews: [['live']],
    failure: 'inline',
  });
  const close = () => setAsked(undefined);
  return (
    <section className={styles.ends}>
      <h2>{say('ns.end')}</h2>
      <div className="row">
        {disabled ? (
          <Button waits={enable.isPending} onClick={() => void enable.run()}>
            {say('enable')}
          </Button>
        ) : (
          <Button kind="danger" onClick={() => setAsked('disable')}>
            {say('disable')}
          </Button>
        )}
        <Button kind="danger" onClick={() => setAsked('remove')}>
          {say('remove')}
        </Button>
      </div>
      {enable.error !== null && <Failure error={enable.error} />}
      <Confirm
        title={say('ns.disableTitle', { name })}
        act={say('disable')}
        isOpen={asked === 'disable'}
        close={close}
        onConfirm={async () => {
          await client.live.disableNamespace(id);
          await renewed();
        }}
      >
        <p>{say('ns.disableWords')}</p>
        <CommandTabs
          commands={commands({
            path: `/namespaces/${id}/disabled`,
            method: 'POST',
            sdk: `await client.live.disableNamespace(${quoted(id)});`,
          })}
        />
      </Confirm>
      <Confirm
        title={say('ns.removeTitle', { name })}
        act={say('remove')}
        typed={name}
        isOpen={asked === 'remove'}
        close={close}
        onConfirm={async () => {
          await client.live.removeNamespace(id);
          await navigate({ to: '/live', search: ({ account }) => ({ account }) });
          await renewed();
        }}
      >
        <p>{say('ns.removeWords')}</p>
        <CommandTabs
          commands={commands({
            path: `/namespaces/${id}`,
            method: 'DELETE',
            sdk: `await client.live.removeNamespace(${quoted(id)});`,
          })}
        />
      </Confirm>
    </section>
  );
}
