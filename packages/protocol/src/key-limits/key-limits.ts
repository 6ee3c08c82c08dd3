/**
 * What a limited access key may do. A key without limits may do all its account may; each limit takes something away, and all of
 * them must agree. The same judge serves every protocol: signed calls, what upload tokens and signed URLs ask for, and S3.
 */
import type { UploadPolicy } from '../policy/parse.ts';
import { isInNetwork } from './networks.ts';

/**
 * `read` objects and their records; `write` new objects and change records; `delete` objects, which replacing their content is,
 * too; `list` names; `administer` all that is not objects: settings of buckets, live streams, devices, tasks, deliveries.
 */
export const keyActions = ['read', 'write', 'delete', 'list', 'administer'] as const;
export type KeyAction = (typeof keyActions)[number];

/** What is absent is not limited. */
export interface KeyLimits {
  readonly buckets?: readonly string[] | undefined;
  /** The key may touch objects whose key begins with one of these. */
  readonly prefixes?: readonly string[] | undefined;
  readonly actions?: readonly KeyAction[] | undefined;
  /** In CIDR form, where its calls come from. */
  readonly networks?: readonly string[] | undefined;
  /** Unix seconds: from then on it may do nothing. */
  readonly expiresAt?: number | undefined;
}

/** What a call asks of a key. A call that asks several things is judged for each. */
export interface RequiredPermission {
  readonly action: KeyAction;
  /** Absent: it concerns the whole account. */
  readonly bucket?: string | undefined;
  /** An object. If both this and `prefix` are absent, it concerns the whole bucket. */
  readonly key?: string | undefined;
  /** All objects whose key begins so, as lists ask. */
  readonly prefix?: string | undefined;
  /** What is not named here is judged once it is known, or left out of the answer. */
  readonly some?: true | undefined;
}

export interface AccessContext {
  readonly address: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Which limit forbids it, in words for the caller; undefined if none does. */
export function accessDenial(
  limits: KeyLimits,
  asked: RequiredPermission,
  use: AccessContext,
): string | undefined {
  return (
    contextDenial(limits, use) ??
    againstAction(limits, asked) ??
    againstBucket(limits, asked) ??
    againstPrefix(limits, asked)
  );
}

/** Checks only expiry and network, which apply to every action. */
export function contextDenial({ expiresAt, networks }: KeyLimits, use: AccessContext): string | undefined {
  if (expiresAt !== undefined && use.now >= expiresAt * 1000)
    return `limit expiresAt: the key ended at ${new Date(expiresAt * 1000).toISOString()}`;
  if (networks !== undefined && !networks.some((network) => isInNetwork(use.address, network)))
    return `limit networks: the key may not be used from ${use.address}`;
  return undefined;
}

/** Whether lists of buckets show this one. */
export function showsBucket({ buckets }: KeyLimits, name: string): boolean {
  return buckets === undefined || buckets.includes(name);
}

/** What replacing an object's content asks, if there is one: what was there is gone, as by a delete. */
export function permissionsToOverwrite(
  bucket: string,
  key: string,
): readonly [RequiredPermission, RequiredPermission] {
  return [
    { action: 'write', bucket, key },
    { action: 'delete', bucket, key },
  ];
}

/** What an upload by this policy asks. The object's key may still be unknown: it is judged again once it is final. */
export function permissionsToUpload({
  scope,
  isPrefixalScope,
}: Pick<UploadPolicy, 'scope' | 'isPrefixalScope'>): RequiredPermission {
  const key = isPrefixalScope ? undefined : scope.key;
  return { action: 'write', bucket: scope.bucket, key, some: true };
}

function againstAction({ actions }: KeyLimits, { action }: RequiredPermission): string | undefined {
  return actions === undefined || actions.includes(action)
    ? undefined
    : `limit actions: the key may not ${action}`;
}

function againstBucket({ buckets }: KeyLimits, { bucket, some }: RequiredPermission): string | undefined {
  if (buckets === undefined || (bucket === undefined && some)) return undefined;
  if (bucket === undefined) return 'limit buckets: the call concerns more than the buckets of the key';
  return buckets.includes(bucket) ? undefined : `limit buckets: the key is not for bucket ${bucket}`;
}

function againstPrefix(
  { prefixes }: KeyLimits,
  { key, prefix, some }: RequiredPermission,
): string | undefined {
  const named = key ?? prefix;
  if (prefixes === undefined || (named === undefined && some)) return undefined;
  if (named === undefined) return 'limit prefixes: the call concerns more than the prefixes of the key';
  if (prefixes.some((each) => named.startsWith(each))) return undefined;
  return key === undefined
    ? 'limit prefixes: the list must ask for a prefix of the key, or a longer one'
    : 'limit prefixes: the object is under no prefix of the key';
}
