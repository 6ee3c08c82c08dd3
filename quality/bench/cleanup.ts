/** Takes down what a bench has set up: when it is done, when it fails, and when the user interrupts it. */
import { destroyDeployments } from '@millpond/testing';

export class InterruptedError extends Error {}

const interrupted = new Promise<never>((_, reject) => {
  // Only the first: a second Ctrl-C ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      process.stderr.write('interrupted; everything is taken down\n');
      // What still runs fails when its servers and databases go, wherever it is.
      process.on('uncaughtException', () => undefined);
      reject(new InterruptedError());
    });
});
interrupted.catch(() => undefined);

export async function withCleanup<T>(work: (cleanup: AsyncDisposableStack) => Promise<T>): Promise<T> {
  try {
    await using cleanup = new AsyncDisposableStack();
    return await Promise.race([work(cleanup), interrupted]);
  } catch (error) {
    // A deployment that was still being made is not in the stack.
    if (error instanceof InterruptedError) await destroyDeployments();
    throw error;
  }
}
