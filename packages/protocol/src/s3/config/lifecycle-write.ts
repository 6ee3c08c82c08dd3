/** Writes a lifecycle configuration as it was set. */
import { writeXml, type XmlChildren } from '../xml/write.ts';
import type { LifecycleScope, LifecycleTime, NoncurrentAction, S3LifecycleRule } from './lifecycle.ts';

export function writeLifecycle(rules: readonly S3LifecycleRule[]): string {
  return writeXml('LifecycleConfiguration', { Rule: rules.map(ruleXml) });
}

function ruleXml(rule: S3LifecycleRule): XmlChildren {
  const { expiration, expiredObjectDeleteMarker: marker, abortUploadsAfterDays: abortDays } = rule;
  return {
    ID: rule.id,
    ...scopeXml(rule.scope),
    Status: rule.isEnabled ? 'Enabled' : 'Disabled',
    Expiration:
      marker === undefined ? expiration && timeXml(expiration) : { ExpiredObjectDeleteMarker: marker },
    Transition: rule.transitions?.map((transition) => ({
      ...timeXml(transition),
      StorageClass: transition.storageClass,
    })),
    NoncurrentVersionExpiration: rule.noncurrentExpiration && noncurrentXml(rule.noncurrentExpiration),
    NoncurrentVersionTransition: rule.noncurrentTransitions?.map(noncurrentXml),
    AbortIncompleteMultipartUpload: abortDays === undefined ? undefined : { DaysAfterInitiation: abortDays },
  };
}

function scopeXml(scope: LifecycleScope): XmlChildren {
  const conditions = {
    Prefix: scope.prefix,
    Tag: scope.tags?.map(({ key, value }) => ({ Key: key, Value: value })),
    ObjectSizeGreaterThan: scope.sizeGreaterThan,
    ObjectSizeLessThan: scope.sizeLessThan,
  };
  if (scope.in === 'Rule') return conditions;
  return { Filter: scope.in === 'And' ? { And: conditions } : conditions };
}

function timeXml(time: LifecycleTime): XmlChildren {
  return 'days' in time ? { Days: time.days } : { Date: time.date };
}

function noncurrentXml({ days, newerVersions, storageClass }: NoncurrentAction): XmlChildren {
  return { NoncurrentDays: days, NewerNoncurrentVersions: newerVersions, StorageClass: storageClass };
}
