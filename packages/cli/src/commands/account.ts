/** `millpond account` and `millpond key`: an operator's commands on accounts and their access keys. */
import { type OperatorTools, openOperatorTools } from '@millpond/server';
import type { Command } from 'commander';
import { type ConfigOptions, loadConfig } from '../config.ts';
import { exportLines, print } from '../print.ts';

interface OutputOptions extends ConfigOptions {
  readonly json?: boolean;
  readonly export?: boolean;
}

export function addAccount(program: Command): void {
  const account = program.command('account').description('accounts');
  account
    .command('create')
    .description('create a parent account and its first root access key')
    .argument('<email>', 'e-mail of the account')
    .option('--bucket <name>', 'and a bucket of this name')
    .option('--config <file>', 'configuration file')
    .option('--json', 'one JSON object a line')
    .option('--export', 'print shell lines for eval')
    .action(async (email: string, options: OutputOptions & { bucket?: string }) => {
      await withTools(options, async (tools) => {
        const created = await tools.accounts.create(email);
        const key = await tools.accounts.createKey(email, 'root');
        if (options.bucket !== undefined) await tools.createBucket(created.uid, options.bucket);
        printKey(options, { uid: Number(created.uid), email: created.email, ...key });
      });
    });

  const key = program.command('key').description('access keys');
  key
    .command('create')
    .description('create an access key; its secret is shown this once')
    .argument('<email>', 'e-mail of the account')
    .option('--kind <kind>', 'root or user', 'root')
    .option('--config <file>', 'configuration file')
    .option('--json', 'one JSON object a line')
    .option('--export', 'print shell lines for eval')
    .action(async (email: string, options: OutputOptions & { kind: string }) => {
      const { kind } = options;
      if (kind !== 'root' && kind !== 'user') throw new Error('--kind must be root or user');
      await withTools(options, async (tools) => {
        printKey(options, { email, kind, ...(await tools.accounts.createKey(email, kind)) });
      });
    });
}

export async function withTools(
  options: ConfigOptions,
  use: (tools: OperatorTools) => Promise<void>,
): Promise<void> {
  const tools = openOperatorTools(loadConfig(options));
  try {
    await use(tools);
  } finally {
    await tools.close();
  }
}

function printKey(
  options: OutputOptions,
  result: { accessKey: string; secretKey: string; [name: string]: unknown },
): void {
  if (options.export) {
    print(
      {},
      {},
      exportLines({ MILLPOND_ACCESS_KEY: result.accessKey, MILLPOND_SECRET_KEY: result.secretKey }),
    );
    return;
  }
  const lines = Object.entries(result).map(([name, value]) => `${name.padEnd(10)} ${String(value)}`);
  print(options, result, `${lines.join('\n')}\nThe secret key is not shown again.`);
}
