/** Lifecycle rules of our own calls in S3's words, and the other way round as far as our words go. */
import { storageClasses } from '@millpond/protocol';
import type { LifecycleTransition, S3LifecycleRule } from '@millpond/protocol/s3';
import { storageClassName, storageClassOf } from '@millpond/protocol/s3';
import type { LifecycleRule } from './lifecycle-rules.ts';

export function toS3Rule(rule: LifecycleRule): S3LifecycleRule {
  const transitions = storageClasses.flatMap((row): LifecycleTransition[] => {
    const days = 'afterDays' in row ? rule[row.afterDays] : 0;
    return days === 0 ? [] : [{ days, storageClass: storageClassName(row.number) }];
  });
  return {
    id: rule.name,
    isEnabled: true,
    scope: { in: 'Filter', prefix: rule.prefix },
    ...(transitions.length > 0 && { transitions }),
    ...(rule.delete_after_days > 0 && { expiration: { days: rule.delete_after_days } }),
  };
}

/** Undefined if our own words can't say it. */
export function toNativeRule({
  id,
  isEnabled,
  scope,
  transitions = [],
  expiration,
}: S3LifecycleRule): LifecycleRule | undefined {
  const isPicky =
    scope.tags !== undefined || scope.sizeGreaterThan !== undefined || scope.sizeLessThan !== undefined;
  const times = [...transitions, ...(expiration === undefined ? [] : [expiration])];
  if (
    !isEnabled ||
    isPicky ||
    times.length === 0 ||
    times.some((time) => !('days' in time) || time.days === 0)
  )
    return undefined;
  const daysTo = (storageClass: number) => {
    const found = transitions.find((transition) => storageClassOf(transition.storageClass) === storageClass);
    return found !== undefined && 'days' in found ? found.days : 0;
  };
  return {
    name: id,
    prefix: scope.prefix ?? '',
    to_line_after_days: daysTo(1),
    to_archive_after_days: daysTo(2),
    to_deep_archive_after_days: daysTo(3),
    delete_after_days: expiration !== undefined && 'days' in expiration ? expiration.days : 0,
  };
}
