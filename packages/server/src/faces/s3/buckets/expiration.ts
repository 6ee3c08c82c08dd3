/** `x-amz-expiration`: when an object goes by itself, by a lifecycle rule or by the day that was set on it. */
import { formatHttpDate } from '@millpond/protocol';
import { type Bucket, expiryOf } from '../../../storage/buckets/index.ts';

export interface ExpiringObject {
  readonly key: string;
  readonly fsize: bigint | number;
  readonly tags?: Readonly<Record<string, string>> | null | undefined;
  readonly put_time: bigint;
  readonly expires_at?: Date | null | undefined;
}

const PUT_TIME_PER_MS = 10_000n;
/** Rule id that stands for objects with a day of their own. */
const OWN_DAY = 'deleteAfterDays';

export function expirationHeader({ lifecycle }: Bucket, object: ExpiringObject): Record<string, string> {
  const { key, fsize, tags, put_time, expires_at: own } = object;
  const madeAt = Number(put_time / PUT_TIME_PER_MS);
  const byRule = expiryOf(lifecycle, { key, size: Number(fsize), tags: tags ?? {}, madeAt });
  const isOwn = own != null && (byRule === undefined || own < byRule.at);
  const expiry = isOwn ? { at: own, ruleId: OWN_DAY } : byRule;
  if (expiry === undefined) return {};
  // An ID is any text, and a header is not.
  const date = formatHttpDate(Math.floor(expiry.at.getTime() / 1000));
  return { 'x-amz-expiration': `expiry-date="${date}", rule-id="${encodeURIComponent(expiry.ruleId)}"` };
}
