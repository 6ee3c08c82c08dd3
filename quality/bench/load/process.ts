/** The load process: carries out one order after the other, so that its CPU time is not counted for any other process. */
import { runOrder } from './run.ts';
import type { Order, Reply } from './work.ts';

process.on('message', (order: Order) => {
  runOrder(order)
    .then(
      (outcome): Reply => ({ outcome }),
      (error: unknown): Reply => ({ failure: error instanceof Error ? error.message : String(error) }),
    )
    .then((reply) => process.send?.(reply))
    .catch(() => process.exit(1));
});
// The bench that asked has ended: nobody waits for an answer.
process.on('disconnect', () => process.exit(0));
