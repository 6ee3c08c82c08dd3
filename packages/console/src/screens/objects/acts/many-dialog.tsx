/** Asks for what an act on many objects needs, says what will happen, and has the server do it in the background. */
import type { NewBulk } from '@millpond/client/session';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { number } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import type { StorageClass } from '../../../ui/depth.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { useBucketList } from '../../buckets/use-buckets.ts';
import { ClassChoice } from '../detail/change-class.tsx';
import { DAYS } from '../detail/restore-object.tsx';
import { ActionDialog } from './act-dialog.tsx';
import { asCli, type BulkAction, folderOf, type Subject, shortened } from './many.ts';

interface Fields {
  readonly type: StorageClass;
  readonly days: string;
  readonly bucket: string;
  readonly place: string;
  readonly force: boolean;
  readonly typed: string;
}

export function ManyDialog({
  act,
  bucket,
  subject,
  close,
  done,
}: {
  readonly act: BulkAction;
  readonly bucket: string;
  readonly subject: Subject;
  readonly close: () => void;
  /** Called when the server has begun it. */
  readonly done: () => void;
}) {
  const say = useTranslations('objects');
  const client = useClient();
  const curl = useCurl();
  const tell = useMessages();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [fields, setFields] = useState<Fields>({
    type: 1,
    days: '1',
    bucket,
    force: false,
    typed: '',
    place: act === 'zip' ? `${folderOf(subject)}archive.zip` : folderOf(subject),
  });
  const set = (change: Partial<Fields>) => setFields((was) => ({ ...was, ...change }));
  const bulk = bulkOf(act, bucket, subject, fields);
  // What can't be undone by hand is typed: a prefix may be more than one thinks.
  const typed = act === 'delete' && subject.prefix !== undefined ? subject.prefix || bucket : undefined;
  const isElsewhere = fields.bucket !== bucket || fields.place !== folderOf(subject);
  const isReady =
    (typed === undefined || fields.typed === typed) &&
    ((act !== 'copy' && act !== 'move') || isElsewhere) &&
    (act !== 'zip' || fields.place !== '');
  const begin = async () => {
    const { id } = await client.bulk.submit(bulk);
    await queries.invalidateQueries({ queryKey: ['bulk'] });
    done();
    tell({
      words: say('many.begun'),
      act: { words: say('many.watch'), do: () => void navigate({ to: '/bulk/$id', params: { id } }) },
    });
  };
  const what =
    subject.keys === undefined
      ? say('many.prefix', { prefix: `${bucket}/${subject.prefix}` })
      : say('many.keys', { count: subject.keys.length, number: number(subject.keys.length) });
  return (
    <ActionDialog
      title={say(`many.title.${act}`)}
      act={say(`many.act.${act}`)}
      kind={act === 'delete' ? 'solid' : 'primary'}
      bucket={bucket}
      close={close}
      isReady={isReady}
      onAct={begin}
    >
      <p>
        <b className="weight-medium">{what}</b>
      </p>
      <p className="soft">{say(`many.words.${act}`)}</p>
      {act === 'class' && <ClassChoice type={fields.type} choose={(type) => set({ type })} />}
      {act === 'restore' && (
        <SelectField
          label={say('restore.days')}
          value={fields.days}
          options={DAYS.map((each) => ({ value: String(each), words: say('days', { count: each }) }))}
          onChange={({ target }) => set({ days: target.value })}
        />
      )}
      {(act === 'copy' || act === 'move' || act === 'zip') && (
        <Place act={act} fields={fields} set={set} bucket={bucket} />
      )}
      {typed !== undefined && (
        <TextField
          label={say('many.type', { prefix: typed })}
          className="input large mono"
          value={fields.typed}
          autoComplete="off"
          onChange={({ target }) => set({ typed: target.value })}
        />
      )}
      <CommandTabs
        commands={{
          curl: curl({ role: 'api', target: '/v1/bulk', json: shortened(bulk) }),
          cli: asCli(bulk),
          sdk: `const { id } = await client.bulk.submit(${JSON.stringify(shortened(bulk), null, 2)});\nawait client.bulk.wait(id);`,
        }}
      />
    </ActionDialog>
  );
}

function Place({
  act,
  fields,
  set,
  bucket,
}: {
  readonly act: 'copy' | 'move' | 'zip';
  readonly fields: Fields;
  readonly set: (change: Partial<Fields>) => void;
  readonly bucket: string;
}) {
  const say = useTranslations('objects');
  const { data: buckets } = useQuery(useBucketList());
  const names = buckets?.map(({ name }) => name) ?? [bucket];
  return (
    <>
      <SelectField
        label={say('toBucket')}
        value={fields.bucket}
        options={names.map((name) => ({ value: name, words: name }))}
        onChange={({ target }) => set({ bucket: target.value })}
      />
      <TextField
        label={say(act === 'zip' ? 'many.zipKey' : 'many.toPrefix')}
        hint={say(act === 'zip' ? 'many.zipHint' : 'many.toHint')}
        className="input large mono"
        spellCheck={false}
        value={fields.place}
        onChange={({ target }) => set({ place: target.value })}
      />
      <label className="row">
        <input
          type="checkbox"
          className="check"
          checked={fields.force}
          onChange={() => set({ force: !fields.force })}
        />
        {say('force')}
      </label>
    </>
  );
}

function bulkOf(kind: BulkAction, bucket: string, subject: Subject, fields: Fields): NewBulk {
  const folder = folderOf(subject);
  // Of named objects too, copies keep what comes after their folder.
  const isMoved = kind === 'copy' || kind === 'move';
  const what =
    subject.keys === undefined
      ? { prefix: subject.prefix }
      : { keys: [...subject.keys], ...(isMoved ? { prefix: folder } : {}) };
  // What a prefix has after its last slash belongs to the names that follow it.
  const rest = subject.prefix?.slice(folder.length) ?? '';
  return {
    kind,
    bucket,
    ...what,
    ...(kind === 'class' ? { class: fields.type } : {}),
    ...(kind === 'restore' ? { days: Number(fields.days) } : {}),
    ...(isMoved ? { to: { bucket: fields.bucket, prefix: fields.place + rest } } : {}),
    ...(kind === 'zip' ? { zip: { bucket: fields.bucket, key: fields.place } } : {}),
    ...((isMoved || kind === 'zip') && fields.force ? { force: true } : {}),
  };
}
