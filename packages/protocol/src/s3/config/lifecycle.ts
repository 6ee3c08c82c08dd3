/**
 * Lifecycle rules as S3 has them. They are stored in this form, because clients compare what they read with what they
 * wrote: whether a prefix stood in a Filter, for example, makes no difference to objects but does to Terraform.
 */

export interface LifecycleTag {
  readonly key: string;
  readonly value: string;
}

/** Which objects a rule is about: all conditions must hold. */
export interface LifecycleScope {
  /** Where the conditions stood: in the rule itself (the old form), in its Filter, or in an And inside that. */
  readonly in: 'Rule' | 'Filter' | 'And';
  readonly prefix?: string;
  readonly tags?: readonly LifecycleTag[];
  readonly sizeGreaterThan?: number;
  readonly sizeLessThan?: number;
}

/** Days after the object was made, or a date (midnight UTC, ISO 8601). */
export type LifecycleTime = { readonly days: number } | { readonly date: string };

export type LifecycleTransition = LifecycleTime & { readonly storageClass: string };

/** Noncurrent-version actions: stored, no effect (no versioning). */
export interface NoncurrentAction {
  readonly days?: number;
  readonly newerVersions?: number;
  readonly storageClass?: string;
}

export interface S3LifecycleRule {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly scope: LifecycleScope;
  readonly expiration?: LifecycleTime;
  /** Kept, without effect: there are no delete markers. */
  readonly expiredObjectDeleteMarker?: boolean;
  readonly transitions?: readonly LifecycleTransition[];
  readonly noncurrentExpiration?: NoncurrentAction;
  readonly noncurrentTransitions?: readonly NoncurrentAction[];
  readonly abortUploadsAfterDays?: number;
}

/** Below which size objects do not change class, unless the rule names a size itself: `varies…` lets them into archives. */
export const MINIMUM_SIZES = ['all_storage_classes_128K', 'varies_by_storage_class'] as const;

export interface S3Lifecycle {
  readonly minimumSize: (typeof MINIMUM_SIZES)[number];
  readonly rules: readonly S3LifecycleRule[];
}

export const MINIMUM_SIZE_HEADER = 'x-amz-transition-default-minimum-object-size';
