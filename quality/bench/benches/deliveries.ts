/**
 * Deliveries, four ways: the rate next to a bare loop of claim, POST and settle; the time from commit to first byte;
 * healthy receivers next to hanging ones; and what a claim costs with a million events waiting.
 */
import type { Figures } from '../deliveries/mode.ts';
import { benchHanging } from '../deliveries/modes/hanging.ts';
import { benchLatency } from '../deliveries/modes/latency.ts';
import { benchRate } from '../deliveries/modes/rate.ts';
import { benchWaiting } from '../deliveries/modes/waiting.ts';
import { startReceiver } from '../deliveries/receiver.ts';
import { openDeliveryStage } from '../deliveries/stage.ts';
import type { Options } from '../options.ts';

const modes: Partial<Record<Options['mode'], typeof benchRate>> = {
  rate: benchRate,
  latency: benchLatency,
  hanging: benchHanging,
  waiting: benchWaiting,
};

export async function benchDeliveries(options: Options, cleanup: AsyncDisposableStack): Promise<Figures> {
  const receiver = startReceiver();
  cleanup.defer(() => receiver.stop());
  const open = async () => {
    const stage = await openDeliveryStage(options.json);
    cleanup.defer(() => stage.close());
    return stage;
  };
  return {
    name: 'deliveries',
    mode: options.mode,
    ...(await modes[options.mode]?.(options, receiver, open)),
  };
}
