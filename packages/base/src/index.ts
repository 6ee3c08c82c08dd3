/** What the packages of the server share. */
export { clientNetwork, unmapIpv4 } from './addresses.ts';
export { KeyedCounter } from './counts.ts';
export { copyString } from './detached-text.ts';
export { FairSemaphore } from './fair-gate.ts';
export { makeFolder } from './folders.ts';
export { ByteQueue } from './held-bytes.ts';
export { type Fields, fieldsOf, parseJson } from './json.ts';
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
} from './metrics.ts';
export { PIECE_RATE, PieceDebt, type PieceRate, SMALL_BYTES } from './piece-debt.ts';
export { type Rate, RateLimiter, TokenBucket } from './rate-limit.ts';
export { errorReason } from './reason.ts';
export { TooManyWaitersError } from './too-many-waiting.ts';
export {
  currentTrace,
  type RequestFacts,
  Trace,
  type TraceEffects,
  type TraceRecorder,
  withoutTrace,
  withTrace,
} from './trace/index.ts';
