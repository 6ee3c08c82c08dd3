/** `millpond alias`: short names for installations and their access keys. */
import { type Command, Option } from 'commander';
import { UsageError } from '../exit.ts';
import { readPassword } from '../password.ts';
import { print, printRows } from '../print.ts';
import { aliasFile, readAliases, writeAliases } from '../remote/aliases.ts';
import { parseEndpoint } from '../remote/installation.ts';
import { isAliasName } from '../remote/location.ts';

interface SetOptions {
  readonly accessKey?: string;
  readonly dialect: 'svc' | 'qiniu';
  readonly json?: boolean;
}

export function addAlias(program: Command): void {
  const alias = program.command('alias').description('name installations and their access keys');
  alias
    .command('set')
    .description('name an installation; the secret key is read from standard input, or the environment')
    .argument('<name>', 'the name default is used for places without an alias')
    .argument('<endpoint...>', 'https://example.com, and role=https://… for roles at other addresses')
    .option('--access-key <key>', 'default: MILLPOND_ACCESS_KEY, with MILLPOND_SECRET_KEY')
    .addOption(
      new Option('--dialect <name>', 'names used on the wire').choices(['svc', 'qiniu']).default('svc'),
    )
    .option('--json', 'one JSON object per line')
    .action(async (name: string, endpoint: string[], options: SetOptions) => {
      if (!isAliasName(name))
        throw new UsageError('a name consists of letters, digits, dots, hyphens and underscores');
      parseEndpoint(endpoint);
      const keys = await keysOf(options);
      const aliases = readAliases();
      aliases.set(name, { endpoint, ...keys, dialect: options.dialect });
      writeAliases(aliases);
      print(options, { name, endpoint }, `${name} is ${endpoint.join(', ')}, in ${aliasFile()}`);
    });
  alias
    .command('list')
    .description('list all aliases, without their secrets')
    .option('--json', 'one JSON object per line')
    .action((options: { json?: boolean }) => {
      const rows = [...readAliases()].map(([name, { endpoint, accessKey, dialect }]) => ({
        name,
        endpoint: endpoint.join(','),
        accessKey,
        dialect,
      }));
      printRows(options, rows, ['name', 'endpoint', 'accessKey', 'dialect']);
    });
  alias
    .command('remove')
    .description('remove an alias')
    .argument('<name>')
    .option('--json', 'one JSON object per line')
    .action((name: string, options: { json?: boolean }) => {
      const aliases = readAliases();
      if (!aliases.delete(name)) throw new UsageError(`there is no alias ${name}`);
      writeAliases(aliases);
      print(options, { removed: name }, `${name} is removed`);
    });
}

/** A secret is never an argument: others could read it in the process list. */
async function keysOf({ accessKey }: SetOptions): Promise<{ accessKey: string; secretKey: string }> {
  const { MILLPOND_ACCESS_KEY, MILLPOND_SECRET_KEY } = process.env;
  if (accessKey !== undefined) return { accessKey, secretKey: await readPassword('Secret key') };
  if (!MILLPOND_ACCESS_KEY || !MILLPOND_SECRET_KEY)
    throw new UsageError('give --access-key, or set MILLPOND_ACCESS_KEY and MILLPOND_SECRET_KEY');
  return { accessKey: MILLPOND_ACCESS_KEY, secretKey: MILLPOND_SECRET_KEY };
}
