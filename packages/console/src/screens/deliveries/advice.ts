/** What to do about an answer, as far as it can be known from here. */
import type { DeliveryDetail } from '@millpond/client/session';

export type Advice = 'proxy' | 'signature' | 'missing' | 'redirect' | 'slow' | 'unreached' | 'failing';

export function adviceOf({
  status,
  error,
}: Pick<DeliveryDetail['attempts'][number], 'status' | 'error'>): Advice | undefined {
  if (status === undefined) return /time/i.test(error ?? '') ? 'slow' : 'unreached';
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 401 || status === 403) return 'signature';
  if (status === 404 || status === 410 || status === 405) return 'missing';
  if (status === 502 || status === 503 || status === 504) return 'proxy';
  return 'failing';
}
