/** A picture, and what image commands make of it: tried on the spot, without storing anything. */
import { download } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { Copy } from '../../../ui/copy.tsx';
import styles from './detail.module.css';
import type { PreviewProps } from './readable.ts';

const EXAMPLES = [
  'imageView2/1/w/300/h/300',
  'imageMogr2/rotate/90',
  'imageMogr2/blur/20x8',
  'imageInfo',
] as const;

export function ImagePreview({ bucket, objectKey }: PreviewProps) {
  const say = useTranslations('objects');
  const client = useClient();
  const [text, setText] = useState('');
  const [command, setCommand] = useState('');
  const [failed, setFailed] = useState<string>();
  const src = client.objectUrl(bucket, objectKey, command);
  // A picture that does not load does not say why; the same request does, and gives what is no picture.
  const { data, error } = useQuery({
    queryKey: ['objects', bucket, objectKey, 'command', command],
    queryFn: async ({ signal }) => (await download(src, { signal, end: 4096 })).text(),
    enabled: failed === src,
    retry: false,
  });
  return (
    <div className={styles.preview}>
      {failed === src ? (
        <pre className={error === null ? styles.answer : `${styles.answer} bad`}>
          {error?.message ?? data}
        </pre>
      ) : (
        <img src={src} alt={say('pictureOf', { key: objectKey })} onError={() => setFailed(src)} />
      )}
      <form
        className={styles.try}
        onSubmit={(event) => {
          event.preventDefault();
          setCommand(text);
        }}
      >
        <input
          className="input mono"
          list="image-commands"
          value={text}
          placeholder={say('tryCommand')}
          aria-label={say('tryCommand')}
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
        />
        <datalist id="image-commands">
          {EXAMPLES.map((example) => (
            <option key={example} value={example} />
          ))}
        </datalist>
        <button type="submit" className="button">
          {say('try')}
        </button>
        {command !== '' && <Copy text={command} />}
      </form>
    </div>
  );
}
