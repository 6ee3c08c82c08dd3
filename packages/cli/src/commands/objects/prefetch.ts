/** `millpond prefetch`: fetches objects of a mirrored bucket from its origin again. */
import type { Command } from 'commander';
import { endIfInterrupted, interruptSignal } from '../../interrupt.ts';
import { countText, type ObjectOptions, objectCommand, objectsOf } from '../../object-command.ts';
import { readNumber } from '../../option-readers.ts';
import { Installations } from '../../remote/installation.ts';
import { formatRemote } from '../../remote/location.ts';
import { runConcurrently } from '../../transfer/concurrency.ts';
import { OutcomeReporter } from '../../transfer/outcome.ts';

export function addPrefetch(program: Command): void {
  objectCommand(program, 'prefetch', 'fetch objects of a mirrored bucket again')
    .argument('[objects...]', '[alias]:bucket/key')
    .option('--concurrency <n>', 'how many at a time', readNumber(1, 64), 4)
    .action(async (names: string[], options: ObjectOptions & { concurrency: number }) => {
      const signal = interruptSignal();
      const outcomeReporter = new OutcomeReporter(options);
      const installations = new Installations();
      const places = objectsOf(names, options, { signal, outcomeReporter });
      await runConcurrently(places, options.concurrency, signal, async (place) => {
        const name = formatRemote(place);
        try {
          await installations.client(place.alias).fetches.prefetch(place.bucket, place.key, { signal });
          outcomeReporter.done([name]);
        } catch (error) {
          if (!signal.aborted) outcomeReporter.failed([name], error);
        }
      });
      endIfInterrupted(signal);
      outcomeReporter.end({}, countText(outcomeReporter.counts.done, 'fetched'));
    });
}
