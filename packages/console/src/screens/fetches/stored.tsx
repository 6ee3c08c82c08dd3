/** What a fetch has stored. */
import { bytes } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Copy } from '../../ui/copy.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import styles from './fetches.module.css';

export interface StoredFacts {
  readonly key?: string | undefined;
  readonly hash?: string | undefined;
  readonly fsize?: number | undefined;
  readonly mimeType?: string | undefined;
}

export function Stored({
  result,
  bucket,
}: {
  readonly result: StoredFacts;
  readonly bucket?: string | undefined;
}) {
  const say = useTranslations('fetches');
  const { key = '', hash = '', fsize = 0, mimeType = '' } = result;
  return (
    <p className={`row ${styles.stored}`} role="status">
      <StatusMark state="ok" label={say('state.done')} />
      <code className="truncate">{bucket === undefined ? key : `${bucket}:${key}`}</code>
      <Copy text={key} />
      <span className="quiet text-small nowrap">
        {bytes(fsize)} · {mimeType} · {hash.slice(0, 8)}…
      </span>
    </p>
  );
}
