/** What a rule would do now: how much it would move and delete, with examples. Nothing is changed by asking. */
import type { LifecyclePreview as Preview } from '@millpond/client/session';
import { bytes, number } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { type StorageClass, StorageClassLabel } from '../../../ui/depth.tsx';
import styles from '../bucket-settings.module.css';

const ACTS = [
  { act: 'class1', type: 1 },
  { act: 'class2', type: 2 },
  { act: 'class3', type: 3 },
  { act: 'delete', type: undefined },
] as const satisfies readonly { act: keyof Preview['would']; type: StorageClass | undefined }[];

export function LifecyclePreview({ preview }: { readonly preview: Preview }) {
  const say = useTranslations('bucket-settings');
  const { read, isWhole, would, examples } = preview;
  const acts = ACTS.filter(({ act }) => would[act].objects > 0);
  return (
    <section className={styles.preview} aria-label={say('preview.title')} role="status">
      <b className="weight-medium">{say(acts.length === 0 ? 'preview.nothing' : 'preview.title')}</b>
      {acts.length > 0 && (
        <ul>
          {acts.map(({ act, type }) => (
            <li key={act} className="row">
              {type === undefined ? (
                <b className="weight-medium bad">{say('lifecycle.deleted')}</b>
              ) : (
                <StorageClassLabel type={type} />
              )}
              <span className="tabular">{say('preview.objects', { count: would[act].objects })}</span>
              <span className="quiet tabular">{bytes(would[act].bytes)}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="quiet text-small">
        {say(isWhole ? 'preview.whole' : 'preview.part', { read: number(read) })}
      </p>
      {examples.length > 0 && (
        <details>
          <summary className="link">{say('preview.examples')}</summary>
          <ul>
            {examples.map(({ key, act }) => (
              <li key={key} className="row">
                <code className="truncate grow">{key}</code>
                <span className="quiet text-small">{say(`preview.${act}`)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
