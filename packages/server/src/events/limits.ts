/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */
import { DAY_MS } from '@millpond/protocol';

/** “Success = 2xx. Redirects are failures. Time-out 10 s.” */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** “Then every 12 h until 5 days after creation.” */
export const TRIED_FOR_MS = 5 * DAY_MS;

/** “5 days of nothing but failures suspends it and says so.” */
export const SUSPENDED_AFTER_MS = 5 * DAY_MS;

/** “Suspended endpoints keep events 14 days.” */
export const SUSPENDED_KEEPS_MS = 14 * DAY_MS;

/** “`Retry-After` honoured up to 1 h.” */
export const MAX_RETRY_AFTER_MS = 3_600_000;
