/**
 * `millpond dev --background`: the command that somebody called waits for the one that goes on, and says of it what that would
 * say itself: that it is ready, or why not.
 */
import path from 'node:path';
import { startInBackground } from '../background.ts';
import { type Described, describe, factsOf, RelayedError } from '../report.ts';

type Message =
  | { readonly ready: string }
  | { readonly failure: { readonly described: Described; readonly facts: object } };

export async function devInBackground(logFile: string): Promise<void> {
  const args = process.argv.slice(2).filter((word) => word !== '--background');
  const { child, output } = startInBackground(args, logFile, 'ipc');
  const ready = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => {
      const told = message as Message;
      if ('ready' in told) resolve(told.ready);
      else reject(new RelayedError(told.failure.described, told.failure.facts));
    });
    child.once('exit', (code, signal) => {
      reject(
        new Error(`it ended by ${signal ?? `code ${code}`} before it was ready; its output:\n${output()}`),
      );
    });
  });
  process.stdout.write(`${ready}\n`);
  if (child.connected) child.disconnect();
  child.unref();
}

/** The log of a run that some other command waits for. */
export function logInBackground(logFile: string): string | undefined {
  return process.connected ? path.resolve(logFile) : undefined;
}

/** To the command that waits; false if nobody does. */
export function tellReady(words: string): boolean {
  if (!process.connected) return false;
  process.send?.({ ready: words } satisfies Message);
  process.disconnect?.();
  return true;
}

/** Before this process ends by it. */
export function tellFailure(error: unknown): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve();
    const failure = { described: describe(error), facts: factsOf(error) };
    process.send?.({ failure } satisfies Message, () => resolve());
  });
}
