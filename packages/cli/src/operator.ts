/** What the operator commands share: their options, and the tools they work with. */
import { type Config, type OperatorTools, openOperatorTools } from '@millpond/server';
import type { Command, CommandOptions } from 'commander';
import { type ConfigOptions, loadConfig } from './config.ts';

export interface OperatorOptions extends ConfigOptions {
  readonly json?: boolean;
}

/** A subcommand with the options that every operator command has. */
export function operatorCommand(
  parent: Command,
  name: string,
  description: string,
  options: CommandOptions = {},
): Command {
  return parent
    .command(name, options)
    .description(description)
    .option('--config <file>', 'configuration file')
    .option('--json', 'one JSON object per line');
}

export async function withTools(
  options: ConfigOptions,
  use: (tools: OperatorTools) => Promise<void>,
  changes: Partial<Config> = {},
): Promise<void> {
  const tools = openOperatorTools({ ...loadConfig(options), ...changes });
  try {
    await use(tools);
  } finally {
    await tools.close();
  }
}
