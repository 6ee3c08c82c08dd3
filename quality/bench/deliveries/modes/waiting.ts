/** What a claim costs, and how much memory a sender takes, with very many events that can't be sent. */
import { percentile, rounded } from '../../statistics.ts';
import { fillBacklog, untilTakenIn } from '../fill.ts';
import { latencies } from '../latency.ts';
import type { Mode } from '../mode.ts';

const HANGING = 50;
const WAITING = 1_000_000;

export const benchWaiting: Mode = async (options, receiver, open) => {
  const stage = await open();
  const urls = await receiver.listen(4);
  const feeding = { producer: stage.producer, receiver, urls };
  const rows = options.rows === 0 ? WAITING : options.rows;
  const measure = async () => {
    const times = await latencies(feeding, 100, Math.max(options.seconds, 10));
    return {
      claimMs: rounded(1000 * (await stage.metric('claim_seconds'))),
      latencyP50: rounded(percentile(times, 0.5)),
    };
  };
  const empty = await measure();
  await fillBacklog(stage.regionDb, stage.uid, await receiver.listen(HANGING, true), rows);
  const began = performance.now();
  await untilTakenIn(stage.regionDb, rows);
  const intakeSeconds = rounded((performance.now() - began) / 1000);
  const full = await measure();
  return {
    waiting: rows,
    empty,
    full,
    ratio: rounded(full.claimMs / empty.claimMs),
    intakeSeconds,
    senderMemory: rounded(await stage.peakMemory()),
  };
};
