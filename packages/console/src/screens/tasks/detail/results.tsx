/** What the task stored, each leading to its object. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { File, Files } from 'lucide-react';
import { useTranslations } from '../../../lib/words.ts';
import { ObjectLink } from '../../../ui/object-link.tsx';
import styles from '../tasks.module.css';
import { resultBucket } from './result-bucket.ts';

export function Results({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const stored = task.items.flatMap((item, at) =>
    item.code === 0 && item.key !== undefined ? [{ item, at, key: item.key }] : [],
  );
  if (stored.length === 0) return null;
  return (
    <section>
      <div className="section-head">
        <h2>{say('results.title')}</h2>
        <span className="quiet text-small">
          {say('results.count', { count: stored.length, of: task.items.length })}
        </span>
      </div>
      <ul className={styles.miniList}>
        {stored.map(({ item, at, key }) => {
          const bucket = resultBucket(task, item);
          const files = item.keys?.length ?? 0;
          const Icon = files > 1 ? Files : File;
          return (
            <li key={at}>
              <Icon className="icon icon-small" aria-hidden />
              <ObjectLink bucket={bucket} name={key} className="mono truncate">
                {bucket === task.inputBucket ? key : `${bucket}:${key}`}
              </ObjectLink>
              <span className="quiet text-small tabular end nowrap">
                {files > 1
                  ? say('item.files', { count: files })
                  : item.returnOld === 1
                    ? say('results.old')
                    : ''}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
