/** `millpond migrate`: the deploy step. */
import { diagnoseColdClass, migrateAll } from '@millpond/server';
import type { Command } from 'commander';
import { type ConfigOptions, loadConfig } from '../../config.ts';
import { exitCodes } from '../../exit.ts';
import { onInterrupt } from '../../interrupt.ts';
import { print } from '../../print.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('migrate the databases and the blob store to this version')
    .option('--config <file>', 'configuration file')
    .option('--json', 'one JSON object per line')
    .action(async (options: ConfigOptions & { json?: boolean }) => {
      // It may wait for locks for minutes.
      onInterrupt(() => {
        process.stderr.write(
          'millpond: interrupted: migrations that were applied stay, the one under way is undone; run it again\n',
        );
        process.exit(exitCodes.interrupted);
      });
      const config = loadConfig(options);
      const applied = await migrateAll(config);
      const bad = (await diagnoseColdClass(config)).filter(({ state }) => state === 'bad');
      const warnings = bad.map(({ said, remedy }) => `${said}: ${remedy}`);
      const files = applied.map((migration) => `${migration.schema}/${migration.file}`);
      print(
        options,
        { applied: files, ...(warnings.length === 0 ? {} : { warnings }) },
        files.length === 0 ? 'up to date' : files.map((file) => `applied ${file}`).join('\n'),
      );
      // Everything else works without it.
      for (const warning of warnings) process.stderr.write(`millpond: ${warning}\n`);
    });
}
