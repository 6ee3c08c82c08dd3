/** Another key, or another bucket, for an object or a copy of it. */
import { operations } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs, shellWord } from '../../../ui/as-command.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { useBucketList } from '../../buckets/use-buckets.ts';
import { ActionDialog } from '../acts/act-dialog.tsx';
import { notifyBucketChanged } from '../changes.ts';

interface Place {
  readonly bucket: string;
  readonly key: string;
}

export function Relocate({
  bucket,
  objectKey,
  way,
  moved,
  close,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly way: 'move' | 'copy';
  /** Called with where a moved object is now. */
  readonly moved: (to: Place) => void;
  readonly close: () => void;
}) {
  const say = useTranslations('objects');
  const client = useClient();
  const curl = useCurl();
  const { data: buckets } = useQuery(useBucketList());
  const [target, setTarget] = useState(bucket);
  const [key, setKey] = useState(objectKey);
  const [force, setForce] = useState(false);
  const from = { bucket, key: objectKey };
  const to = { bucket: target, key };
  const act = async () => {
    await client.objects[way](from, to, { force });
    notifyBucketChanged(target);
    if (way === 'move') moved(to);
  };
  const names = buckets?.map(({ name }) => name) ?? [bucket];
  return (
    <ActionDialog
      title={say(`relocate.title.${way}`)}
      act={say(`relocate.act.${way}`)}
      bucket={bucket}
      close={close}
      isReady={key !== objectKey || target !== bucket}
      onAct={act}
      done={say(`relocate.done.${way}`)}
    >
      <SelectField
        label={say('toBucket')}
        value={target}
        options={names.map((name) => ({ value: name, words: name }))}
        onChange={(event) => setTarget(event.target.value)}
      />
      <TextField
        label={say('toKey')}
        hint={say('toKeyHint')}
        value={key}
        className="input large mono"
        spellCheck={false}
        onChange={(event) => setKey(event.target.value)}
      />
      <label className="row">
        <input type="checkbox" className="check" checked={force} onChange={() => setForce(!force)} />
        {say('force')}
      </label>
      <CommandTabs
        commands={{
          curl: curl({ role: 'rs', method: 'POST', target: operations[way](from, to, force) }),
          cli: `millpond ${way === 'move' ? 'mv' : 'cp'}${force ? '' : ' --no-overwrite'} ${shellWord(`:${bucket}/${objectKey}`)} ${shellWord(`:${target}/${key}`)}`,
          sdk: `await client.objects.${way}(\n  ${JSON.stringify(from)},\n  ${JSON.stringify(to)}${force ? ',\n  { force: true }' : ''},\n);`,
        }}
      />
    </ActionDialog>
  );
}
