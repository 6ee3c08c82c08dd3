/** `millpond key`: operator commands on access keys. */
import { type Command, Option } from 'commander';
import { loadConfig } from '../../config.ts';
import { endpointOf } from '../../endpoint.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { exportLines, print, printRows } from '../../print.ts';
import { trusting } from '../../trust.ts';

export function addKey(program: Command): void {
  const key = program.command('key').description('create, list, disable, enable and delete access keys');
  operatorCommand(key, 'create', 'create an access key; its secret is shown only once')
    .argument('<email>', 'e-mail of the account')
    .addOption(new Option('--kind <kind>', 'what the key may do').choices(['root', 'user']).default('root'))
    .option('--export', 'print shell commands for eval')
    .action(async (email: string, options: OperatorOptions & { kind: 'root' | 'user'; export?: boolean }) => {
      const { kind } = options;
      const printKey = keyPrinter(options);
      await withTools(options, async ({ accounts, actor }) => {
        const { uid } = await accounts.byEmail(email);
        printKey({ email, kind, ...(await accounts.createKey(uid, kind, actor)) });
      });
    });
  operatorCommand(key, 'list', 'list the access keys of an account')
    .argument('<email>', 'e-mail of the account')
    .action(async (email: string, options: OperatorOptions) => {
      await withTools(options, async ({ accounts }) => {
        const { uid } = await accounts.byEmail(email);
        const rows = (await accounts.keysOf(uid)).map(({ access_key, kind, is_enabled, created_at }) => ({
          access_key,
          kind,
          is_enabled,
          created_at,
        }));
        printRows(options, rows, ['access_key', 'kind', 'is_enabled', 'created_at']);
      });
    });
  operatorCommand(key, 'disable', 'refuse a key')
    .argument('<access-key>')
    .action((accessKey: string, options: OperatorOptions) => setEnabled(accessKey, false, options));
  operatorCommand(key, 'enable', 'accept a key again')
    .argument('<access-key>')
    .action((accessKey: string, options: OperatorOptions) => setEnabled(accessKey, true, options));
  operatorCommand(key, 'delete', 'delete a disabled key, so that its account can have another')
    .argument('<access-key>')
    .action(async (accessKey: string, options: OperatorOptions) => {
      await withTools(options, async ({ accounts, actor }) => {
        await accounts.deleteKey(accessKey, actor);
        print(options, { accessKey, deleted: true }, `${accessKey} is deleted`);
      });
    });
}

/** Returns how to print a key. Everything that could fail happens before the key exists: its secret is shown once. */
export function keyPrinter(
  options: OperatorOptions & { export?: boolean },
): (result: { accessKey: string; secretKey: string; [name: string]: string | bigint }) => void {
  if (options.export) {
    const { endpoint, certificate } = endpointOf(loadConfig(options)) ?? {};
    const trusted = certificate && trusting(certificate, process.env.NODE_EXTRA_CA_CERTS);
    return ({ accessKey, secretKey }) => {
      const lines = exportLines({
        ...(endpoint === undefined ? {} : { MILLPOND_ENDPOINT: endpoint }),
        MILLPOND_ACCESS_KEY: accessKey,
        MILLPOND_SECRET_KEY: secretKey,
        ...(trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: trusted }),
      });
      print({}, {}, lines);
    };
  }
  return (result) => {
    const lines = Object.entries(result).map(([name, value]) => `${name.padEnd(10)} ${value}`);
    print(options, result, `${lines.join('\n')}\nThe secret key is not shown again.`);
  };
}

async function setEnabled(accessKey: string, isEnabled: boolean, options: OperatorOptions): Promise<void> {
  await withTools(options, async ({ accounts, actor }) => {
    await accounts.setKeyEnabled(accessKey, isEnabled, actor);
    const state = isEnabled ? 'enabled' : 'disabled';
    print(options, { accessKey, isEnabled }, `${accessKey} is ${state}; this takes effect within 5 s`);
  });
}
