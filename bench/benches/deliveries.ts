/**
 * Deliveries, four ways: the rate beside a bare loop of claim, POST and settle; the time from commit to first byte; healthy
 * receivers beside hanging ones; and what a claim costs with a million events waiting.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBare } from '../deliveries/bare.ts';
import { type Feeding, pace, saturate } from '../deliveries/feed.ts';
import { countQueue, fillBacklog } from '../deliveries/fill.ts';
import { type Receiver, startReceiver } from '../deliveries/receiver.ts';
import { type DeliveryStage, openDeliveryStage } from '../deliveries/stage.ts';
import type { Options } from '../options.ts';
import { median, percentile, rounded, spread } from '../statistics.ts';

/** Events that are kept waiting where as many as possible are to go out. */
const AHEAD = 1000;
const LATENCY_PER_SECOND = 300;
const HEALTHY = 1000;
const HANGING = 50;
const HANGING_BACKLOG = 100_000;
const WAITING = 1_000_000;
const WARM_UP_SECONDS = 3;

type Figures = Readonly<Record<string, unknown>>;

export async function benchDeliveries(options: Options, cleanup: AsyncDisposableStack): Promise<Figures> {
  const receiver = startReceiver();
  cleanup.defer(() => receiver.stop());
  const open = async () => {
    const stage = await openDeliveryStage(options.json);
    cleanup.defer(() => stage.close());
    return stage;
  };
  const modes: Partial<Record<Options['mode'], Bench>> = {
    rate: benchRate,
    latency: benchLatency,
    hanging: benchHanging,
    waiting: benchWaiting,
  };
  return {
    name: 'deliveries',
    mode: options.mode,
    ...(await modes[options.mode]?.(options, receiver, open)),
  };
}

type Bench = (options: Options, receiver: Receiver, open: () => Promise<DeliveryStage>) => Promise<Figures>;

const benchRate: Bench = async (options, receiver, open) => {
  const stage = await open();
  const bare = await startBare(stage.regionDb);
  try {
    const urls = await receiver.listen(1);
    const sides = {
      ours: { producer: stage.producer, receiver, urls },
      bare: { producer: bare, receiver, urls },
    };
    for (const side of [sides.ours, sides.bare]) await saturate(side, AHEAD, WARM_UP_SECONDS);
    const rounds: { ours: number; bare: number; ratio: number; senderCpu: number }[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const [cpu, before] = [await stage.cpu(), receiver.count];
      const ours = await saturate(sides.ours, AHEAD, options.seconds);
      const senderCpu = (((await stage.cpu()) - cpu) * 1e6) / (receiver.count - before);
      const alone = await saturate(sides.bare, AHEAD, options.seconds);
      rounds.push({
        ours: rounded(ours),
        bare: rounded(alone),
        ratio: rounded(ours / alone),
        senderCpu: rounded(senderCpu),
      });
    }
    const column = (name: 'ours' | 'bare' | 'ratio' | 'senderCpu') => rounds.map((round) => round[name]);
    return {
      ours: rounded(median(column('ours'))),
      bare: rounded(median(column('bare'))),
      ratio: rounded(median(column('ratio'))),
      spread: spread(column('ratio')),
      senderMicroseconds: rounded(median(column('senderCpu'))),
      senderMemory: rounded(await stage.peakMemory()),
      rounds,
    };
  } finally {
    await bare.stop();
  }
};

const benchLatency: Bench = async (options, receiver, open) => {
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

/** Milliseconds from each event's commit to the first byte at its receiver. */
async function latencies(feeding: Feeding, perSecond: number, seconds: number): Promise<number[]> {
  const { receiver } = feeding;
  receiver.record();
  const commits = await pace(feeding, perSecond, seconds);
  const times = new Map<string, number>();
  while (times.size < commits.size) {
    await sleep(500);
    for (const { id, at } of await receiver.arrivals()) if (!times.has(id)) times.set(id, at);
    receiver.record();
  }
  return [...commits].map(([id, committed]) => Math.max(0, (times.get(id) ?? 0) - committed));
}

const benchHanging: Bench = async (options, receiver, open) => {
  const [alone, beside] = [await open(), await open()];
  const urls = await receiver.listen(HEALTHY);
  const hanging = await receiver.listen(HANGING, true);
  const feedings = {
    alone: { producer: alone.producer, receiver, urls },
    beside: { producer: beside.producer, receiver, urls },
  };
  for (const side of Object.values(feedings)) await saturate(side, AHEAD, WARM_UP_SECONDS);
  await fillBacklog(beside.regionDb, beside.uid, hanging, HANGING_BACKLOG);
  // Nothing but the analysis that follows: plans must not differ between the sides.
  await fillBacklog(alone.regionDb, alone.uid, [], 0);
  const pairs: { alone: number; beside: number; ratio: number }[] = [];
  for (let round = 0; round < Math.max(7, options.rounds); round++) {
    const without = await saturate(feedings.alone, AHEAD, options.seconds);
    const withThem = await saturate(feedings.beside, AHEAD, options.seconds);
    pairs.push({ alone: rounded(without), beside: rounded(withThem), ratio: rounded(withThem / without) });
  }
  const ratios = pairs.map(({ ratio }) => ratio);
  return {
    healthy: HEALTHY,
    hanging: HANGING,
    backlog: HANGING_BACKLOG,
    ratio: rounded(median(ratios)),
    spread: spread(ratios),
    pairs,
  };
};

const benchWaiting: Bench = async (options, receiver, open) => {
  const stage = await open();
  const urls = await receiver.listen(4);
  const feeding = { producer: stage.producer, receiver, urls };
  const rows = options.rows === 0 ? WAITING : options.rows;
  const measure = async () => {
    const times = await latencies(feeding, 100, Math.max(options.seconds, 10));
    return { claimMs: rounded(await stage.metric('claim_ms')), latencyP50: rounded(percentile(times, 0.5)) };
  };
  const empty = await measure();
  await fillBacklog(stage.regionDb, stage.uid, await receiver.listen(HANGING, true), rows);
  const began = performance.now();
  const taken = async () =>
    (await countQueue(stage.regionDb, 'parked')) + (await countQueue(stage.regionDb, 'following'));
  while ((await taken()) < rows * 0.99) await sleep(1000);
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
