/** Type, metadata and response headers of an object, as one form: what is emptied is removed. */
import type { MetadataChange, ObjectRecord } from '@millpond/client/session';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs, shellWord } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ActionDialog } from '../acts/act-dialog.tsx';
import objectsStyles from '../objects.module.css';
import { changeOf, type Pair } from './metadata.ts';

const CACHE_CONTROL = 'Cache-Control';

export function ChangeMetadata({
  bucket,
  objectKey,
  object,
  close,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly object: ObjectRecord;
  readonly close: () => void;
}) {
  const say = useTranslations('objects');
  const client = useClient();
  const curl = useCurl();
  const [mimeType, setMimeType] = useState(object.mimeType);
  const [cache, setCache] = useState(object.responseHeaders[CACHE_CONTROL] ?? '');
  const [pairs, setPairs] = useState<readonly Pair[]>(() => Object.entries(object.metadata));
  const set = (at: number, pair: Pair) => setPairs(pairs.with(at, pair));
  const change = changeOf(object, { mimeType, pairs, headers: { [CACHE_CONTROL]: cache } });
  const known = change ?? {};
  return (
    <ActionDialog
      title={say('metadata.title')}
      act={say('metadata.act')}
      bucket={bucket}
      close={close}
      isReady={change !== undefined}
      onAct={() => client.objects.changeMetadata(bucket, objectKey, known)}
      done={say('metadata.done')}
    >
      <TextField
        label={say('fact.type')}
        hint={say('metadata.typeHint')}
        className="input large mono"
        spellCheck={false}
        value={mimeType}
        onChange={({ target }) => setMimeType(target.value)}
      />
      <TextField
        label={CACHE_CONTROL}
        hint={say('metadata.cacheHint')}
        className="input large mono"
        spellCheck={false}
        value={cache}
        onChange={({ target }) => setCache(target.value)}
      />
      <fieldset className={objectsStyles.metaPairs}>
        <legend className="label">{say('fact.metadata')}</legend>
        {pairs.map(([name, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed
          <div key={at} className="row">
            <input
              className="input large mono"
              aria-label={say('metadata.name')}
              placeholder={say('metadata.name')}
              spellCheck={false}
              value={name}
              onChange={({ target }) => set(at, [target.value, value])}
            />
            <input
              className="input large mono grow"
              aria-label={say('metadata.valueOf', { name })}
              placeholder={say('metadata.value')}
              spellCheck={false}
              value={value}
              onChange={({ target }) => set(at, [name, target.value])}
            />
            <Button
              kind="ghost"
              icon={<X className="icon" aria-hidden />}
              aria-label={say('metadata.remove', { name })}
              onClick={() => setPairs(pairs.toSpliced(at, 1))}
            />
          </div>
        ))}
        <Button
          kind="link"
          icon={<Plus className="icon" aria-hidden />}
          onClick={() => setPairs([...pairs, ['', '']])}
        >
          {say('metadata.add')}
        </Button>
      </fieldset>
      <CommandTabs
        commands={{
          curl: curl({
            role: 'rs',
            method: 'POST',
            target: client.objects.changeMetadataOperation(bucket, objectKey, known),
          }),
          cli: `millpond meta ${shellWord(`:${bucket}/${objectKey}`)}${flagsOf(known)}`,
          sdk: `await client.objects.changeMetadata('${bucket}', ${JSON.stringify(objectKey)}, ${JSON.stringify(known)});`,
        }}
      />
    </ActionDialog>
  );
}

function flagsOf({ mimeType, metadata = {}, responseHeaders = {} }: MetadataChange): string {
  const entries = Object.entries(metadata);
  const removed = entries.filter(([, value]) => value === '').map(([name]) => shellWord(name));
  return [
    ...(mimeType === undefined ? [] : [`--mime ${shellWord(mimeType)}`]),
    ...entries.filter(([, value]) => value !== '').map((pair) => `--set ${shellWord(pair.join('='))}`),
    ...(removed.length === 0 ? [] : [`--unset ${removed.join(' ')}`]),
    ...Object.entries(responseHeaders).map(
      ([name, value]) => `--${name.toLowerCase()} ${shellWord(value ?? '')}`,
    ),
  ]
    .map((flag) => ` ${flag}`)
    .join('');
}
