/** How soon events are sent at a rate below capacity. */
import { percentile, rounded } from '../../statistics.ts';
import { pace } from '../feed.ts';
import { latencies } from '../latency.ts';
import { type Mode, WARM_UP_SECONDS } from '../mode.ts';

const LATENCY_PER_SECOND = 300;

export const benchLatency: Mode = async (options, receiver, open) => {
  const { producer } = await open();
  const feeding = { producer, receiver, urls: await receiver.listen(4) };
  await pace(feeding, LATENCY_PER_SECOND, WARM_UP_SECONDS);
  const times = await latencies(feeding, LATENCY_PER_SECOND, Math.max(options.seconds, 10));
  return {
    perSecond: LATENCY_PER_SECOND,
    events: times.length,
    p50: rounded(percentile(times, 0.5)),
    p99: rounded(percentile(times, 0.99)),
    max: rounded(Math.max(...times)),
  };
};
