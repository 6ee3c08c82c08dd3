/**
 * An interrupt (Ctrl-C) stops ongoing work cleanly; a second one ends the process at once. Who handles it does so before anything that may
 * hang: the first process of a container is ended by no signal that it does not handle.
 */
import { ExitError, exitCodes } from './exit.ts';

export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  onInterrupt(() => controller.abort(new Error('interrupted')));
  return controller.signal;
}

/** `code` is what a second one ends the process with. */
export function onInterrupt(act: () => void, code: number = exitCodes.interrupted): void {
  let isSecond = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isSecond) process.exit(code);
      isSecond = true;
      act();
    });
  }
}

/** Interrupted work has not failed, but it is not done either. */
export function endIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new ExitError(exitCodes.interrupted);
}
