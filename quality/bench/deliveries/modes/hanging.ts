/**
 * 1,000 healthy receivers, alone and next to 50 that hang and have 100,000 events waiting: the same work for two
 * senders, each with its own databases, in short turns, so that whatever else the machine does hits both. All turns are
 * over before the sender gives up on the hanging ones: until then as many attempts hang as possible.
 */
import { median, rounded, spread } from '../../statistics.ts';
import { type Feeding, send } from '../feed.ts';
import { fillBacklog, untilTakenIn } from '../fill.ts';
import { MAX_QUEUED, type Mode } from '../mode.ts';
import type { DeliveryStage } from '../stage.ts';

const HEALTHY = 1000;
const HANGING = 50;
const BACKLOG = 100_000;
const PAIRS = 7;
/** Events in a half, per second of its planned length. */
const PER_SECOND = 1000;
const TURNS = ['alone', 'beside', 'beside', 'alone'] as const;
/** Two for every receiver, so that connections are open. */
const WARM_UP = 2 * HEALTHY;

type Side = (typeof TURNS)[number];

export const benchHanging: Mode = async (options, receiver, open) => {
  const stages: Record<Side, DeliveryStage> = { alone: await open(), beside: await open() };
  const urls = await receiver.listen(HEALTHY);
  const hanging = await receiver.listen(HANGING, true);
  const feeding = (side: Side): Feeding => ({ producer: stages[side].producer, receiver, urls });
  const perTurn = Math.round((options.seconds * PER_SECOND) / 2);
  for (const side of ['alone', 'beside'] as const) await send(feeding(side), MAX_QUEUED, WARM_UP);
  await fillBacklog(stages.beside.regionDb, stages.beside.uid, hanging, BACKLOG);
  // Adds nothing, only runs the ANALYZE that follows: plans must not differ between the sides.
  await fillBacklog(stages.alone.regionDb, stages.alone.uid, [], 0);
  await untilTakenIn(stages.beside.regionDb, BACKLOG);
  const pairs: { alone: number; beside: number; ratio: number }[] = [];
  const cpu = { alone: 0, beside: 0 };
  for (let pair = 0; pair < Math.max(PAIRS, options.rounds); pair++) {
    const seconds = { alone: 0, beside: 0 };
    for (const side of TURNS) {
      const before = await stages[side].cpu();
      seconds[side] += perTurn / (await send(feeding(side), MAX_QUEUED, perTurn));
      cpu[side] += (await stages[side].cpu()) - before;
    }
    const rate = (side: Side) => (2 * perTurn) / seconds[side];
    pairs.push({
      alone: rounded(rate('alone')),
      beside: rounded(rate('beside')),
      ratio: rounded(rate('beside') / rate('alone')),
    });
  }
  const ratios = pairs.map(({ ratio }) => ratio);
  const microseconds = (side: Side) => rounded((cpu[side] * 1e6) / (pairs.length * 2 * perTurn));
  return {
    healthy: HEALTHY,
    hanging: HANGING,
    backlog: BACKLOG,
    eventsPerHalf: 2 * perTurn,
    ratio: rounded(median(ratios)),
    spread: spread(ratios),
    senderMicroseconds: { alone: microseconds('alone'), beside: microseconds('beside') },
    awayAfterwards: await stages.beside.away(),
    pairs,
  };
};
