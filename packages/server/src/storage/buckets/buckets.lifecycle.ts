/** The lifecycle rules of a bucket, which our own calls set or S3, never both: whose rule applies, and what it does. */
import { DAY_MS, midnightAfter } from '@millpond/protocol';
import {
  dueLifecycleAction,
  type Expiry,
  type LifecycleObject,
  type S3Lifecycle,
  s3Expiry,
} from '@millpond/protocol/s3';
import { dueAction, type LifecycleRule, ruleFor } from './lifecycle-rules.ts';

/** By whose rule they apply: of ours the one with the longest prefix, of S3's every one that matches. */
export type BucketLifecycle =
  | { readonly by: 'prefix'; readonly rules: readonly LifecycleRule[] }
  | ({ readonly by: 's3' } & S3Lifecycle);

export interface LifecycleColumns {
  readonly s3_lifecycle: S3Lifecycle | null;
  readonly native_rules: LifecycleRule[] | null;
}

export function lifecycleOf({ s3_lifecycle, native_rules }: LifecycleColumns): BucketLifecycle | undefined {
  if (s3_lifecycle !== null) return { by: 's3', ...s3_lifecycle };
  return native_rules === null ? undefined : { by: 'prefix', rules: native_rules };
}

/** When the rules remove an object, and which rule does. */
export function expiryOf(
  lifecycle: BucketLifecycle | undefined,
  object: LifecycleObject,
): Expiry | undefined {
  if (lifecycle === undefined) return undefined;
  if (lifecycle.by === 's3') return s3Expiry(lifecycle.rules, object);
  const rule = ruleFor(lifecycle.rules, object.key);
  if (rule === undefined || rule.delete_after_days === 0) return undefined;
  return { at: midnightAfter(rule.delete_after_days, object.madeAt), ruleId: rule.name };
}

/** What the rules do to an object now (in milliseconds): remove it, give it a colder class, or nothing. */
export function dueActionOf(
  lifecycle: BucketLifecycle,
  object: LifecycleObject & { readonly storageClass: number },
  now: number,
): 'delete' | number | undefined {
  if (lifecycle.by === 's3') return dueLifecycleAction(lifecycle, object, now);
  const rule = ruleFor(lifecycle.rules, object.key);
  return rule && dueAction(rule, Math.floor((now - object.madeAt) / DAY_MS), object.storageClass);
}
