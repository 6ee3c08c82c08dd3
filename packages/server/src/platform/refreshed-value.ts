/** Figures that have to be asked for elsewhere, such as from a database. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface RefreshOptions {
  /** The shortest interval between questions, however often the figures are read. */
  readonly everyMs: number;
  /** The longest that a reader waits for an answer. */
  readonly waitMs?: number;
}

const WAIT_MS = 1000;
/** After this many intervals without a new answer, the last one no longer holds. */
const STALE_AFTER = 4;

/**
 * The last answer of `ask`, renewed if it is old. Undefined: it failed, or has been silent for long. Any number of readers cost
 * one question.
 */
export function refreshedValue<Answer>(
  ask: () => Promise<Answer>,
  { everyMs, waitMs = WAIT_MS }: RefreshOptions,
): () => Promise<Answer | undefined> {
  let told: { readonly at: number; readonly answer: Answer } | undefined;
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    askedAt = performance.now();
    try {
      told = { answer: await ask(), at: performance.now() };
    } catch {
      told = undefined;
    }
  };
  return async () => {
    if (performance.now() - askedAt >= everyMs)
      asking ??= begin().finally(() => {
        asking = undefined;
      });
    if (asking !== undefined) await Promise.race([asking, sleep(waitMs, undefined, { ref: false })]);
    return told !== undefined && performance.now() - told.at < STALE_AFTER * everyMs
      ? told.answer
      : undefined;
  };
}
