/** A loop that repeats a step, waits as long as the step says, can be woken early, and is stopped by waiting for it. */

export interface Loop {
  /** Ends the current wait. During a step: skips the wait after it. */
  wake(): void;
  stop(): Promise<void>;
}

/** `step` returns the milliseconds until the next step (Infinity: until woken), and must not throw. */
export function startLoop(step: () => Promise<number>): Loop {
  let isStopped = false;
  let isWoken = false;
  let endWait: (() => void) | undefined;

  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined;
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const repeat = async () => {
    while (!isStopped) {
      isWoken = false;
      const milliseconds = await step();
      if (!isStopped && !isWoken && milliseconds > 0) await wait(milliseconds);
      endWait = undefined;
    }
  };
  const ended = repeat();

  const wake = () => {
    isWoken = true;
    endWait?.();
  };
  return {
    wake,
    async stop() {
      isStopped = true;
      wake();
      await ended;
    },
  };
}
