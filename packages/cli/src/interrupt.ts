/** An interrupt (Ctrl-C) stops ongoing work cleanly; a second one ends the process at once. */
import { Ended, exitCodes } from './exit.ts';

export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exitCodes.interrupted);
      controller.abort(new Error('interrupted'));
    });
  }
  return controller.signal;
}

/** Interrupted work has not failed, but it is not done either. */
export function endIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Ended(exitCodes.interrupted);
}
