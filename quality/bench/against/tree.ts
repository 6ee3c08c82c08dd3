/** A server of one of the trees, and requests to it by the load process. */
import type { Driver } from '../load/driver.ts';
import type { Work } from '../load/work.ts';
import { openStage, type Stage, type StageOptions } from '../stage.ts';
import type { Side } from './rounds.ts';

export interface Opening {
  readonly checkout: string;
  readonly driver: Driver;
  /** The number of existing objects. */
  readonly rows: number;
  readonly quiet: boolean;
  /** Closes what is opened. */
  readonly cleanup: AsyncDisposableStack;
}

/** On its own databases, which are removed with the measurement. */
export async function openTree(
  { checkout, quiet, cleanup }: Opening,
  options: Pick<StageOptions, 'store' | 'bucketCount' | 'settings'>,
): Promise<Stage> {
  const stage = await openStage({ ...options, checkout, quiet });
  cleanup.defer(() => stage.close());
  return stage;
}

/** Requests of the load process, this many at a time. */
export function requestSide({ serverCpu }: Stage, driver: Driver, work: Work, concurrency: number): Side {
  return {
    cpu: serverCpu,
    async run(seconds) {
      const { opsPerSecond, latencies } = await driver.run({ work, concurrency, seconds });
      return { perSecond: opsPerSecond, count: latencies.length };
    },
  };
}
