/** Which object the command is tried on. Keys are offered as one writes, by their beginning. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import styles from './commands.module.css';

const MOST_OFFERED = 20;

export function ObjectChoice({
  bucket,
  objectKey,
  choose,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly choose: (change: { bucket?: string; key?: string }) => void;
}) {
  const say = useTranslations('commands');
  const { client, account } = useSession();
  const id = useId();
  const [text, setText] = useState(objectKey);
  const prefix = useDeferredValue(text);
  const buckets = useQuery({
    queryKey: ['buckets', account, 'names'],
    queryFn: ({ signal }) => client.buckets.names({ signal }),
    staleTime: 60_000,
  });
  const keys = useQuery({
    queryKey: ['commands', account, 'keys', bucket, prefix],
    enabled: bucket !== '',
    queryFn: async ({ signal }) =>
      (await client.objects.page(bucket, { prefix, limit: MOST_OFFERED, signal })).items.map(
        ({ key }) => key,
      ),
    placeholderData: (was) => was,
  });
  const names = buckets.data ?? [];
  const options = bucket === '' || names.includes(bucket) ? names : [bucket, ...names];
  return (
    <div className={styles.objectChoice}>
      <SelectField
        label={say('object.bucket')}
        value={bucket}
        options={[{ value: '', words: '' }, ...options.map((name) => ({ value: name, words: name }))]}
        onChange={(event) => choose({ bucket: event.target.value, key: '' })}
      />
      <TextField
        label={say('object.key')}
        list={id}
        value={text}
        spellCheck={false}
        autoComplete="off"
        placeholder={say('object.keyHint')}
        onChange={(event) => {
          setText(event.target.value);
          if (keys.data?.includes(event.target.value)) choose({ key: event.target.value });
        }}
        onBlur={() => choose({ key: text })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose({ key: text });
        }}
      />
      <datalist id={id}>
        {keys.data?.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </div>
  );
}
