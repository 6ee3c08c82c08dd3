/** The stages of a lifecycle rule, in the order in which an object passes them. */
import type { LifecycleRule } from '@millpond/client/session';
import { useTranslations } from '../../../lib/words.ts';
import { type StorageClass, StorageClassLabel } from '../../../ui/depth.tsx';
import styles from '../bucket-settings.module.css';

export const STAGES = [
  { field: 'to_line_after_days', type: 1 },
  { field: 'to_archive_after_days', type: 2 },
  { field: 'to_deep_archive_after_days', type: 3 },
  { field: 'delete_after_days', type: undefined },
] as const satisfies readonly { field: keyof LifecycleRule; type: StorageClass | undefined }[];

/** A rule as it is sent: with all its stages, and without what the server adds. */
export function sentRule(rule: LifecycleRule): LifecycleRule {
  return {
    name: rule.name,
    prefix: rule.prefix,
    ...Object.fromEntries(STAGES.map(({ field }) => [field, rule[field] ?? 0])),
  };
}

export function LifecycleSteps({ rule }: { readonly rule: LifecycleRule }) {
  const say = useTranslations('bucket-settings');
  return (
    <span className={styles.stages}>
      {STAGES.filter(({ field }) => (rule[field] ?? 0) > 0).map(({ field, type }) => (
        <span key={field} className={styles.stage}>
          <span className="quiet">{say('lifecycle.after', { count: rule[field] ?? 0 })}</span>
          {type === undefined ? (
            <b className="weight-medium">{say('lifecycle.deleted')}</b>
          ) : (
            <StorageClassLabel type={type} />
          )}
        </span>
      ))}
    </span>
  );
}
