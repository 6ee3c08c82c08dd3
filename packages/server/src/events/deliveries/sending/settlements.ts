/** What becomes of an event after a try. */
import { nextRetryDelay } from '../retry-schedule.ts';
import { unblocksLane, type Verdict } from './classify-status.ts';
import type { AttemptResult } from './delivery-attempts.ts';
import type { ClaimedRow } from './delivery-queue.store.ts';
import type { Settlement } from './settle.store.ts';

/** `age`: milliseconds since the start of its retry period, at the end of the try. */
export function settlementOf(
  row: ClaimedRow,
  { attempt, retryAfter }: AttemptResult,
  verdict: Verdict,
  { age, timeFactor }: { readonly age: number; readonly timeFactor: number },
): Settlement {
  const common = {
    id: row.delivery_id,
    fence: row.fence,
    waitMs: 0,
    refused: verdict.kind === 'retry' && verdict.refused,
    attempt: { ...attempt, agoMs: attempt.durationMs },
  };
  if (verdict.kind !== 'retry')
    return { ...common, outcome: verdict.kind === 'delivered' ? 'delivered' : 'failed' };
  if (row.is_test) return { ...common, outcome: 'failed' };
  const wait = nextRetryDelay({
    tries: row.tries + 1,
    age: age * timeFactor,
    retryAfter,
    random: Math.random(),
  });
  const leaves = unblocksLane(verdict, row.refusals + 1);
  return {
    ...common,
    outcome: wait === undefined ? 'failed' : row.has_lane && leaves ? 'aside' : 'later',
    waitMs: (wait ?? 0) / timeFactor,
  };
}

/** Its time was over before it could be retried. */
export function expiredSettlement(row: ClaimedRow): Settlement {
  const { delivery_id: id, fence } = row;
  return { id, fence, outcome: 'failed', waitMs: 0, refused: false, attempt: undefined };
}
