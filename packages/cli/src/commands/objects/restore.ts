/** `millpond restore`: makes archived objects readable for some days. */
import { operations } from '@millpond/client/server';
import type { Command } from 'commander';
import { interruptSignal } from '../../interrupt.ts';
import {
  BELOW,
  countText,
  type ObjectOptions,
  objectCommand,
  objectsOf,
  runBatches,
} from '../../object-command.ts';
import { readNumber } from '../../option-readers.ts';
import { OutcomeReporter } from '../../transfer/outcome.ts';
import { things } from './stat.ts';

export function addRestore(program: Command): void {
  objectCommand(program, 'restore', 'make archived objects readable for a few days')
    .argument('[objects...]', '[alias]:bucket/key')
    .option('-r, --recursive', BELOW)
    .option('--days <n>', 'how many days, 1 to 7', readNumber(1, 7), 1)
    .addHelpText(
      'after',
      '\nIt takes minutes (archive) or hours (deep archive); `millpond stat` shows when it is done.',
    )
    .action(async (names: string[], options: ObjectOptions & { days: number }) => {
      const signal = interruptSignal();
      const outcomeReporter = new OutcomeReporter(options);
      await runBatches(things(objectsOf(names, options, { signal, outcomeReporter })), {
        outcomeReporter,
        signal,
        operation: ({ place }) => operations.restore(place.bucket, place.key, options.days),
      });
      outcomeReporter.end({}, countText(outcomeReporter.counts.done, 'will be readable'));
    });
}
