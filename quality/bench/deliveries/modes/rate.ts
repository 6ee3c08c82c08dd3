/** As many as possible, and next to it a bare loop on the same machine, in turn. */
import { median, rounded, spread } from '../../statistics.ts';
import { startBare } from '../bare.ts';
import { saturate } from '../feed.ts';
import { MAX_QUEUED, type Mode, WARM_UP_SECONDS } from '../mode.ts';

export const benchRate: Mode = async (options, receiver, open) => {
  const stage = await open();
  const bare = await startBare(stage.regionDb);
  try {
    const urls = await receiver.listen(1);
    const sides = {
      ours: { producer: stage.producer, receiver, urls },
      bare: { producer: bare, receiver, urls },
    };
    for (const side of [sides.ours, sides.bare]) await saturate(side, MAX_QUEUED, WARM_UP_SECONDS);
    const rounds: { ours: number; bare: number; ratio: number; senderCpu: number }[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const [cpu, before] = [await stage.cpu(), receiver.count];
      const ours = await saturate(sides.ours, MAX_QUEUED, options.seconds);
      const senderCpu = (((await stage.cpu()) - cpu) * 1e6) / (receiver.count - before);
      const alone = await saturate(sides.bare, MAX_QUEUED, options.seconds);
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
