/**
 * Which queues to poll next, and how often: at once while a queue gives everything that was asked for, 50 ms after it gave
 * some, then at growing intervals up to the queue's longest wait. Idle queues are polled only when every normal queue has just
 * reported that it has nothing more.
 */
import type { DefinedQueue } from './definitions.ts';

const MIN_WAIT_MS = 50;
const AFTER_FAILURE_MS = 1000;
/** Limits what one statement locks and one answer holds. */
const MAX_FETCH_SIZE = 100;

interface Poll {
  readonly queue: DefinedQueue;
  waitMs: number;
  nextAt: number;
}

/** Fetches and starts up to `count` jobs of a queue; returns how many there were. */
export type Take = (queue: DefinedQueue, count: number) => Promise<number>;

export function createPolling(queues: readonly DefinedQueue[], freeSlots: () => number, take: Take) {
  const polls = queues.map((queue): Poll => ({ queue, waitMs: MIN_WAIT_MS, nextAt: 0 }));
  const normal = polls.filter((poll) => poll.queue.kind === 'normal');
  const idle = polls.filter((poll) => poll.queue.kind === 'idle');

  /** True if the queue gave fewer jobs than there was room for. */
  const ask = async (poll: Poll): Promise<boolean> => {
    const count = Math.min(freeSlots(), MAX_FETCH_SIZE);
    const taken = await take(poll.queue, count);
    const now = performance.now();
    if (taken === count) poll.waitMs = 0;
    else if (taken > 0) poll.waitMs = MIN_WAIT_MS;
    else poll.waitMs = Math.min(Math.max(poll.waitMs * 1.5, MIN_WAIT_MS), poll.queue.maxPollMs);
    // Workers that started together must not keep polling together.
    poll.nextAt = now + poll.waitMs * (0.9 + Math.random() * 0.2);
    return taken < count;
  };

  /** Polls in turn; true when all have been asked and left room. The first one asked goes to the back. */
  const askAll = async (group: Poll[], isWanted: (poll: Poll) => boolean): Promise<boolean> => {
    let areExhausted = true;
    for (const poll of Array.from(group)) {
      if (!isWanted(poll)) continue;
      if (freeSlots() === 0) return false;
      if (!(await ask(poll))) {
        areExhausted = false;
        group.push(...group.splice(group.indexOf(poll), 1));
      }
    }
    return areExhausted;
  };

  return {
    /** One round; returns the milliseconds until the next. */
    async round(): Promise<number> {
      const startedAt = performance.now();
      const isDue = (poll: Poll) => poll.nextAt <= startedAt;
      const isIdleDue = idle.some(isDue);
      // Before any idle job is taken, normal queues are polled even if they are not due yet.
      const isLeftOver = await askAll(normal, (poll) => isIdleDue || isDue(poll));
      if (isIdleDue && isLeftOver && freeSlots() > 0) await askAll(idle, isDue);
      if (freeSlots() === 0) return Number.POSITIVE_INFINITY;
      return Math.max(0, Math.min(...polls.map((poll) => poll.nextAt)) - performance.now());
    },
    /** After a failed round, so that a database that is down is not asked all the time. */
    longestWait: AFTER_FAILURE_MS,
  };
}
