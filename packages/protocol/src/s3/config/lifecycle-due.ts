/**
 * What lifecycle rules do to an object by S3's rule: every enabled rule that matches applies, the earliest expiration wins,
 * and of the classes that are due the coldest. Days end at the midnight (UTC) after them.
 */
import { midnightAfter } from '../../day.ts';
import type { StorageClass } from '../../storage-classes.ts';
import { storageClassOf } from '../storage-class.ts';
import type { LifecycleScope, LifecycleTime, S3Lifecycle, S3LifecycleRule } from './lifecycle.ts';

export interface LifecycleObject {
  readonly key: string;
  readonly size: number;
  readonly tags: Readonly<Record<string, string>>;
  /** When its bytes were put, in milliseconds. */
  readonly madeAt: number;
}

export interface Expiry {
  readonly at: Date;
  readonly ruleId: string;
}

const SMALL = 128 * 1024;
const FIRST_ARCHIVE = 2;

export function s3Expiry(rules: readonly S3LifecycleRule[], object: LifecycleObject): Expiry | undefined {
  let found: Expiry | undefined;
  for (const { id, isEnabled, scope, expiration } of rules) {
    if (!isEnabled || expiration === undefined || !isInScope(scope, object)) continue;
    const at = timeOf(expiration, object);
    if (found === undefined || at < found.at) found = { at, ruleId: id };
  }
  return found;
}

/** What is due at this time, in milliseconds: removal, a colder class, or nothing. */
export function dueLifecycleAction(
  { rules, minimumSize }: S3Lifecycle,
  object: LifecycleObject & { readonly storageClass: number },
  now: number,
): 'delete' | StorageClass | undefined {
  const expiry = s3Expiry(rules, object);
  if (expiry !== undefined && expiry.at.getTime() <= now) return 'delete';
  let coldest: StorageClass | undefined;
  for (const { isEnabled, scope, transitions = [] } of rules) {
    if (!isEnabled || transitions.length === 0 || !isInScope(scope, object)) continue;
    for (const transition of transitions) {
      const target = storageClassOf(transition.storageClass);
      const isTooSmall =
        object.size < SMALL &&
        !namesSize(scope) &&
        !(minimumSize !== 'all_storage_classes_128K' && target >= FIRST_ARCHIVE);
      const isDue = !isTooSmall && timeOf(transition, object).getTime() <= now;
      if (isDue && target > (coldest ?? object.storageClass)) coldest = target;
    }
  }
  return coldest;
}

function isInScope(scope: LifecycleScope, { key, size, tags }: LifecycleObject): boolean {
  return (
    key.startsWith(scope.prefix ?? '') &&
    (scope.sizeGreaterThan === undefined || size > scope.sizeGreaterThan) &&
    (scope.sizeLessThan === undefined || size < scope.sizeLessThan) &&
    (scope.tags ?? []).every((wanted) => tags[wanted.key] === wanted.value)
  );
}

function namesSize(scope: LifecycleScope): boolean {
  return scope.sizeGreaterThan !== undefined || scope.sizeLessThan !== undefined;
}

/** An object made exactly at midnight is as old as its days then. */
function timeOf(time: LifecycleTime, { madeAt }: LifecycleObject): Date {
  return 'days' in time ? midnightAfter(time.days, madeAt) : new Date(time.date);
}
