/** Figures for which somebody else has to be asked, such as a database. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface RefreshOptions {
  /** Not more often than this, however often they are read. */
  readonly everyMs: number;
  /** Whoever reads them waits no longer than this for an answer. */
  readonly waitMs?: number;
}

const WAIT_MS = 1000;
/** After so many times of not being told anew, what was told last is not true any more. */
const STALE_AFTER = 4;

/**
 * What `ask` answered last, asked for anew where that is old. Undefined: it failed, or has been silent for long. Any number of readers
 * cost one question.
 */
export function refreshedFigures<Answer>(
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
