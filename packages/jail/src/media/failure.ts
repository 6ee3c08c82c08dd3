/** Why a command gave no result. The message is for the caller; the engine's last output is kept beside it. */

/**
 * - source: the input cannot be processed this way; a retry changes nothing
 * - limit: it would have exceeded its limits
 * - aborted: by the caller's signal
 * - machine: not the input's fault (a kill from outside, no free process); a retry may help
 */
export type FailureReason = 'source' | 'limit' | 'aborted' | 'machine';

export class ProcessingError extends Error {
  override readonly name = 'ProcessingError';
  readonly reason: FailureReason;
  /** The end of the engine's output; empty if no engine was to blame. */
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

const MAX_STDERR_LENGTH = 2000;

/** Without our paths and addresses, and limited in length. */
export function sanitizeStderr(stderr: string): string {
  return stderr
    .replaceAll(/ @ 0x[0-9a-f]+\]/g, ']')
    .replaceAll(/\bfile:|\/(?:job|in|source)\/|\.\.\/[0-9a-f]{32}\//g, '')
    .replaceAll(/[^\P{Cc}\n]/gu, '')
    .trim()
    .slice(-MAX_STDERR_LENGTH);
}
