/** The load process as the bench sees it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Order, Outcome, Reply } from './work.ts';

export interface Driver {
  run(order: Order): Promise<Outcome>;
  stop(): void;
}

export function startDriver(): Driver {
  const child = fork(path.join(import.meta.dirname, 'process.ts'), { serialization: 'advanced' });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the load process exited');
  });
  // The waiter for an answer gets this failure; at the end there is none.
  ended.catch(() => undefined);
  return {
    async run(order) {
      const answered = once(child, 'message');
      child.send(order);
      const [reply] = (await Promise.race([answered, ended])) as [Reply];
      if ('failure' in reply) throw new Error(`the load process: ${reply.failure}`);
      return reply.outcome;
    },
    stop: () => child.disconnect(),
  };
}
