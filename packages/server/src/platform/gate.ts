/** Limits how many run at a time and how many wait, in order; any more are rejected at once. */

export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';

  constructor() {
    super('too many are waiting');
  }
}

export interface Gate {
  /** Returns the function to call when done. Rejects with TooManyWaiting at once, or when the signal is cancelled while waiting. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createGate(slots: number, mostWaiting: number): Gate {
  const waiting: (() => void)[] = [];
  let free = slots;

  function leaveOnce(): () => void {
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    };
  }

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free--;
        return leaveOnce();
      }
      if (waiting.length >= mostWaiting) throw new TooManyWaiting();
      await new Promise<void>((resolve, reject) => {
        const admit = (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(admit), 1);
          reject(signal.reason as Error);
        };
        waiting.push(admit);
        signal.addEventListener('abort', giveUp, { once: true });
      });
      return leaveOnce();
    },
  };
}
