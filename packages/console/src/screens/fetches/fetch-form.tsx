/** A fetch as a form. */
import type { BackgroundFetch } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { CLASSES } from '../../ui/depth.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Segments } from '../../ui/segments.tsx';
import styles from './fetches.module.css';
import type { FetchesSearch } from './search.ts';

const NONE = { host: '', md5: '', callbackUrl: '', callbackBody: '', fileType: '0', ignoreSameKey: false };

export function FetchForm({
  search,
  set,
  begin,
  waits,
}: {
  readonly search: FetchesSearch;
  readonly set: (change: Partial<FetchesSearch>) => void;
  readonly begin: (fetch: BackgroundFetch) => void;
  readonly waits: boolean;
}) {
  const say = useTranslations('fetches');
  const common = useTranslations('common');
  const { client, account } = useSession();
  const { data = [] } = useQuery({
    queryKey: ['fetches', account, 'buckets'],
    queryFn: ({ signal }) => client.buckets.names({ signal }),
    staleTime: 60_000,
  });
  const [more, setMore] = useState(NONE);
  const { url = '', bucket = '', key = '' } = search;
  const isNow = search.way === 'now';
  const text = (field: 'host' | 'md5' | 'callbackUrl' | 'callbackBody' | 'fileType') => ({
    value: more[field],
    onChange: (event: { target: { value: string } }) => setMore({ ...more, [field]: event.target.value }),
  });
  const submit = () =>
    begin({
      url: url.trim(),
      bucket,
      ...(key === '' ? {} : { key }),
      ...(more.host === '' ? {} : { host: more.host }),
      ...(more.md5 === '' ? {} : { md5: more.md5 }),
      ...(more.callbackUrl === '' ? {} : { callbackUrl: more.callbackUrl }),
      ...(more.callbackBody === '' ? {} : { callbackBody: more.callbackBody }),
      ...(more.fileType === '0' ? {} : { fileType: Number(more.fileType) }),
      ...(more.ignoreSameKey ? { ignoreSameKey: true } : {}),
    });
  return (
    <form
      className={styles.fetchForm}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={say('url')}
        hint={isNow ? undefined : say('urlHint')}
        value={url}
        onChange={(event) => set({ url: event.target.value })}
        placeholder="https://old.example.com/film.mp4"
        required
      />
      <div className={styles.twoFields}>
        <SelectField
          label={say('bucket')}
          value={bucket}
          onChange={(event) => set({ bucket: event.target.value })}
          options={[...new Set(['', ...data, bucket])].map((name) => ({
            value: name,
            words: name === '' ? say('chooseBucket') : name,
          }))}
          required
        />
        <TextField
          label={say('key')}
          hint={say('keyHint')}
          value={key}
          onChange={(event) => set({ key: event.target.value })}
        />
      </div>
      <details>
        <summary className="link">{say('more')}</summary>
        <div className={styles.twoFields}>
          <TextField label={say('host')} hint={say('hostHint')} {...text('host')} />
          {!isNow && (
            <>
              <SelectField
                label={say('class')}
                options={CLASSES.map((type) => ({ value: String(type), words: common(`class.${type}`) }))}
                {...text('fileType')}
              />
              <TextField label={say('md5')} hint={say('md5Hint')} {...text('md5')} />
              <TextField label={say('callbackUrl')} {...text('callbackUrl')} />
              <TextField label={say('callbackBody')} {...text('callbackBody')} />
              <label className="row">
                <input
                  type="checkbox"
                  className="check"
                  checked={more.ignoreSameKey}
                  onChange={({ target }) => setMore({ ...more, ignoreSameKey: target.checked })}
                />
                {say('ignoreSameKey')}
              </label>
            </>
          )}
        </div>
      </details>
      <div className="row">
        <Segments
          label={say('way')}
          value={isNow ? 'now' : 'background'}
          options={[
            { value: 'background', words: say('way.background') },
            { value: 'now', words: say('way.now') },
          ]}
          onChange={(value) => set({ way: value === 'now' ? value : undefined } as Partial<FetchesSearch>)}
        />
        <Button kind="primary" type="submit" waits={waits}>
          {say('begin')}
        </Button>
      </div>
    </form>
  );
}
