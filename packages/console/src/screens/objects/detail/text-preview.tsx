/** The beginning of a text, and JSON in its shape. */
import { download } from '@millpond/client/session';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../app/session-context.tsx';
import { bytes } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { kindOf } from '../kinds.tsx';
import styles from './detail.module.css';
import type { PreviewProps } from './readable.ts';

const MOST_SHOWN = 64 * 1024;

export function TextPreview({ bucket, objectKey, object }: PreviewProps) {
  const say = useTranslations('objects');
  const client = useClient();
  const isWhole = object.fsize <= MOST_SHOWN;
  const { data } = useQuery({
    queryKey: ['objects', bucket, objectKey, 'text', object.hash],
    async queryFn({ signal }) {
      const url = client.objectUrl(bucket, objectKey);
      const content = await (
        await download(url, { signal, ...(isWhole ? {} : { end: MOST_SHOWN }) })
      ).bytes();
      return shapeOf(
        new TextDecoder().decode(content),
        isWhole && kindOf(objectKey, object.mimeType) === 'json',
      );
    },
  });
  return (
    <div className={`${styles.preview} ${styles.text}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
      <pre tabIndex={0}>{data}</pre>
      {!isWhole && <p className="quiet text-tiny">{say('firstOf', { part: bytes(MOST_SHOWN) })}</p>}
    </div>
  );
}

function shapeOf(text: string, isJson: boolean): string {
  if (!isJson) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
