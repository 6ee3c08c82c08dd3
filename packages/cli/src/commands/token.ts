/** `millpond token`: makes an upload token with the access key of the environment, and says in words what one allows. */
import { Client } from '@millpond/client/server';
import { type Command, InvalidArgumentError } from 'commander';
import { print } from '../print.ts';
import { explainToken } from '../token-words.ts';

interface MakeOptions {
  readonly expires: number;
  readonly policy?: object;
  readonly json?: boolean;
}

export function addToken(program: Command): void {
  const token = program.command('token').description('upload tokens: make and explain');
  token
    .command('make')
    .description('make an upload token with MILLPOND_ACCESS_KEY and MILLPOND_SECRET_KEY')
    .argument('<scope>', 'bucket, or bucket:key to allow overwriting that key')
    .option('--expires <seconds>', 'how long it is good', readSeconds, 3600)
    .option('--policy <json>', 'further fields of the upload policy, as a JSON object', readFields)
    .option('--json', 'one JSON object a line')
    .action((scope: string, options: MakeOptions) => {
      const credentials = {
        accessKey: fromEnvironment('MILLPOND_ACCESS_KEY'),
        secretKey: fromEnvironment('MILLPOND_SECRET_KEY'),
      };
      const deadline = Math.floor(Date.now() / 1000) + options.expires;
      const made = new Client({ url: '', credentials }).uploadToken({ scope, deadline, ...options.policy });
      print(options, { token: made, deadline }, made);
    });
  token
    .command('explain')
    .description(
      'what an upload token allows, in words; its signature is checked if the key is in the environment',
    )
    .argument('<token>')
    .option('--json', 'one JSON object a line')
    .action((text: string, options: { json?: boolean }) => {
      const { MILLPOND_ACCESS_KEY: accessKey, MILLPOND_SECRET_KEY: secretKey } = process.env;
      const keys = accessKey && secretKey ? { accessKey, secretKey } : undefined;
      const { facts, words } = explainToken(text, keys, Date.now());
      print(options, facts, words.join('\n'));
    });
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: \`millpond key create <email> --export\` prints it for eval`);
  return value;
}

function readSeconds(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number of seconds');
  return Number(text);
}

function readFields(text: string): object {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('must be a JSON object such as {"insertOnly":1}');
}
