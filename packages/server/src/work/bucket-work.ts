/** Background work on buckets: figures, lifecycle rules, and drops whose process died. */
import type { BucketServices } from '../compose/bucket-services.ts';
import type { Config } from '../config/config.ts';
import type { Infra } from '../engines/infra.ts';
import type { Queue } from '../platform/queue/queue.ts';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

export async function startBucketWork(
  config: Config,
  infra: Infra,
  queue: Queue,
  { drops, lifecycle, usage }: BucketServices,
): Promise<void> {
  const seconds = (milliseconds: number) => Math.max(1, Math.round(milliseconds / 1000));
  await queue.every('usage-fold', seconds(config.usageFoldEvery), async (signal) => {
    await usage.fold(signal);
  });
  await queue.every('usage-tidy', DAY_SECONDS, () => usage.tidy());
  await queue.every('lifecycle', seconds(config.lifecycleEvery), async (signal) => {
    const applied = await lifecycle.run(signal);
    if (applied.removed + applied.moved > 0) infra.log.info(applied, 'lifecycle rules applied');
  });
  await queue.every('bucket-drop-resume', MINUTE_SECONDS, async (signal) => {
    const dropped = await drops.resume(signal);
    if (dropped > 0) infra.log.info({ dropped }, 'half-done drops ended');
  });
}
