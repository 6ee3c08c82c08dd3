/** `millpond rm`: deletes objects; `millpond undelete` brings them back while the trash keeps them. */
import { operations } from '@millpond/client/server';
import type { Command } from 'commander';
import { UsageError } from '../../exit.ts';
import { interruptSignal } from '../../interrupt.ts';
import {
  BELOW,
  countText,
  DRY_RUN,
  type ObjectOptions,
  objectCommand,
  objectsOf,
  runBatches,
  runDry,
} from '../../object-command.ts';
import { OutcomeReporter } from '../../transfer/outcome.ts';
import { things } from './stat.ts';

export function addRm(program: Command): void {
  objectCommand(program, 'rm', 'delete objects')
    .argument('[objects...]', '[alias]:bucket/key')
    .option('-r, --recursive', `${BELOW}; needs --yes`)
    .option('-f, --force', 'objects that do not exist are not failures')
    .option('--yes', 'confirm that everything below is deleted')
    .option(...DRY_RUN)
    .action(async (names: string[], options: ObjectOptions & { yes?: boolean }) => {
      if (options.recursive && !options.yes && !options.dryRun)
        throw new UsageError('--recursive deletes everything below: give --yes too');
      const signal = interruptSignal();
      const outcomeReporter = new OutcomeReporter(options);
      const objects = things(objectsOf(names, options, { signal, outcomeReporter }));
      if (options.dryRun) {
        await runDry(objects, { outcomeReporter, signal });
        outcomeReporter.end({}, countText(outcomeReporter.counts.planned, 'would be deleted'));
        return;
      }
      await runBatches(objects, {
        outcomeReporter,
        signal,
        operation: ({ place }) => operations.delete(place.bucket, place.key),
        forgives: ({ code }) => options.force === true && code === 612,
      });
      outcomeReporter.end({}, countText(outcomeReporter.counts.done, 'deleted'));
    });
}
