/** `millpond migrate`: the deploy step. */
import { migrateAll } from '@millpond/server';
import type { Command } from 'commander';
import { type ConfigOptions, loadConfig } from '../config.ts';
import { print } from '../print.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the databases and the blob store to this version')
    .option('--config <file>', 'configuration file')
    .option('--json', 'one JSON object a line')
    .action(async (options: ConfigOptions & { json?: boolean }) => {
      const applied = await migrateAll(loadConfig(options));
      const files = applied.map((migration) => `${migration.schema}/${migration.file}`);
      print(
        options,
        { applied: files },
        files.length === 0 ? 'up to date' : files.map((file) => `applied ${file}`).join('\n'),
      );
    });
}
