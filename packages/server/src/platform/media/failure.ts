/** Why a command gave no result. The message is for whoever asked; the engine's own last words stand beside it. */

/**
 * - source: what was given can't be processed so; trying again changes nothing
 * - limit: it would have taken more than it may
 * - aborted: the caller's signal
 * - machine: not the fault of what was given (a kill from outside, no free process); trying again may help
 */
export type FailureReason = 'source' | 'limit' | 'aborted' | 'machine';

export class ProcessingFailed extends Error {
  override readonly name = 'ProcessingFailed';
  readonly reason: FailureReason;
  /** The end of what the engine said; empty if no engine was to blame. */
  readonly words: string;

  constructor(reason: FailureReason, message: string, words = '') {
    super(message);
    this.reason = reason;
    this.words = words;
  }

  get mayTryAgain(): boolean {
    return this.reason === 'machine';
  }
}

const MOST_WORDS = 2000;

/** Without our paths and addresses, and not without end. */
export function wordsOf(stderr: string): string {
  return stderr
    .replaceAll(/ @ 0x[0-9a-f]+\]/g, ']')
    .replaceAll(/(?:file:)?\/(?:job|in|source)\//g, '')
    .replaceAll(/[^\P{Cc}\n]/gu, '')
    .trim()
    .slice(-MOST_WORDS);
}
