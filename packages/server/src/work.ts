/** Background work of a process: the periodic jobs that keep the region tidy, each run once in the whole region. */
import type { Config } from './config/config.ts';
import type { Infra } from './infra.ts';
import { openQueue } from './platform/queue/queue.ts';
import type { Services } from './services.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

export interface RunningWork {
  stop(): Promise<void>;
}

export async function startWork(
  config: Config,
  infra: Infra,
  { collector, tokens, uploads }: Services,
): Promise<RunningWork> {
  const queue = await openQueue({ pool: infra.region.pool, log: infra.log });
  await queue.every('trash-collect', seconds(config.collectEvery), async (signal) => {
    const removed = await collector.collect(signal);
    if (removed > 0) infra.log.info({ removed }, 'trash collected');
  });
  await queue.every('blob-sweep', seconds(config.sweepEvery), async (signal) => {
    const removed = await collector.sweep(signal);
    if (removed > 0) infra.log.info({ removed }, 'unnamed blobs removed');
  });
  await queue.every('upload-expire', HOUR_SECONDS, async (signal) => {
    const expired = (await uploads.parts.expire(signal)) + (await uploads.blocks.expire(signal));
    if (expired > 0) infra.log.info({ expired }, 'unfinished uploads expired');
  });
  await queue.every('token-forget', DAY_SECONDS, async () => {
    const forgotten = await tokens.forgetExpired();
    if (forgotten > 0) infra.log.info({ forgotten }, 'expired tokens forgotten');
  });
  return { stop: () => queue.close() };
}

function seconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / 1000));
}
