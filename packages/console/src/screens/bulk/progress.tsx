/** How far it has come; a long prefix is not counted beforehand, so its end is not known. */
import type { BulkRecord } from '@millpond/client/session';
import { useTranslations } from '../../lib/words.ts';
import styles from './bulk.module.css';

export function Progress({ bulk: { done, failed, of, state } }: { readonly bulk: BulkRecord }) {
  const say = useTranslations('bulk');
  const isOver = state === 'done';
  const share = isOver ? 1 : of === undefined || of === 0 ? undefined : Math.min(1, (done + failed) / of);
  const percent = share === undefined ? undefined : Math.round(share * 100);
  const looks = state === 'failed' ? 'bad' : isOver ? 'ok' : state === 'stopped' ? 'off' : '';
  return (
    <div
      className={`meter ${looks} ${share === undefined && state === 'running' ? styles.pulse : ''}`}
      role="progressbar"
      aria-label={say('progress')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <i style={{ width: `${percent ?? (state === 'running' ? 100 : 0)}%` }} />
    </div>
  );
}
