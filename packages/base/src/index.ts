/** What the packages of the server share. */
export { networkOf, plainAddress } from './addresses.ts';
export { Counts } from './counts.ts';
export { detachedText } from './detached-text.ts';
export { FairGate } from './fair-gate.ts';
export { makeFolder } from './folders.ts';
export { HeldBytes } from './held-bytes.ts';
export { type Fields, fieldsOf, parseJson } from './json.ts';
export { type Log, openLog } from './log.ts';
export { FREE_BYTES, MemoryBudget, MemoryShare } from './memory-budget.ts';
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
export { Allowance, type Rate, RateLimit } from './rate-limit.ts';
export { reasonOf } from './reason.ts';
export { TooManyWaiting } from './too-many-waiting.ts';
export {
  type Caused,
  currentTrace,
  type RequestFacts,
  Trace,
  type TraceRecorder,
  withoutTrace,
  withTrace,
} from './trace/index.ts';
