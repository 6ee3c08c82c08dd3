/** `millpond secrets rotate` and `millpond sweep`: upkeep that an operator starts by hand. */
import type { Command } from 'commander';
import type { ConfigOptions } from '../config.ts';
import { print } from '../print.ts';
import { withTools } from './account.ts';

type UpkeepOptions = ConfigOptions & { json?: boolean };

export function addUpkeep(program: Command): void {
  program
    .command('secrets')
    .description('sealed secrets')
    .command('rotate')
    .description('wrap every secret with the first master key of the configuration, while the servers run')
    .option('--config <file>', 'configuration file')
    .option('--json', 'one JSON object a line')
    .action(async (options: UpkeepOptions) => {
      await withTools(options, async ({ accounts }) => {
        const rotated = await accounts.rotateMasterKey((done) =>
          process.stderr.write(`${done} secrets re-wrapped\n`),
        );
        print(
          options,
          { rotated },
          `${rotated} secrets re-wrapped; older master keys are no longer needed for access keys`,
        );
      });
    });
  program
    .command('sweep')
    .description('empty the trash that is due and remove bytes that no record names')
    .option(
      '--everything',
      'look at all bytes, not only at those since the last sweep (after a database restore)',
    )
    .option('--config <file>', 'configuration file')
    .option('--json', 'one JSON object a line')
    .action(async (options: UpkeepOptions & { everything?: boolean }) => {
      await withTools(options, async ({ collector }) => {
        const { signal } = new AbortController();
        const collected = await collector.collect(signal);
        const swept = await collector.sweep(signal, { everything: options.everything ?? false });
        print(
          options,
          { collected, swept },
          `${collected} blobs collected from the trash, ${swept} unnamed blobs removed`,
        );
      });
    });
}
