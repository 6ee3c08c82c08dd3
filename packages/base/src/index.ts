/** What the packages of the server share. */
export { clientNetwork, unmapIpv4 } from './addresses.ts';
export { ByteQueue } from './byte-queue.ts';
export { copyString } from './copy-string.ts';
export { errorReason } from './error-reason.ts';
export { FairSemaphore } from './fair-semaphore.ts';
export { makeFolder } from './folders.ts';
export { type Fields, fieldsOf, parseJson } from './json.ts';
export { KeyedCounter } from './keyed-counter.ts';
export { type Log, openLog } from './log.ts';
export { FREE_BYTES, MemoryBudget, MemoryReservation } from './memory-budget.ts';
export {
  counter,
  gauge,
  type Labels,
  type Metric,
  Metrics,
  type Sample,
  TIMER_BOUNDS,
  Timer,
} from './metrics-registry.ts';
export { PIECE_RATE, PieceDebt, type PieceRate, SMALL_BYTES } from './piece-debt.ts';
export { type Rate, RateLimiter, TokenBucket } from './rate-limit.ts';
export { TooManyWaitersError } from './too-many-waiters.ts';
export type { RequestFacts, TraceRecorder } from './trace/recorder.ts';
export { currentTrace, Trace, type TraceEffects, withoutTrace, withTrace } from './trace/trace.ts';
