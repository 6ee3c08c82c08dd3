/** `millpond token`: makes an upload token with an access key, and explains what one allows. */
import { unknownFieldWords, unknownPolicyFields } from '@millpond/protocol';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../exit.ts';
import { explainToken } from '../explain-token.ts';
import { print } from '../print.ts';
import { AT_OPTION, clientAt, hasDefaultKey, keysAt } from '../remote/installation.ts';
import { escapeForTerminal } from '../remote/text.ts';

interface MakeOptions {
  readonly at?: string;
  readonly expires: number;
  readonly policy?: object;
  readonly allowUnknown?: boolean;
  readonly json?: boolean;
}

export function addToken(program: Command): void {
  const token = program.command('token').description('make upload tokens, and explain what one allows');
  token
    .command('make')
    .description('make an upload token with an access key')
    .argument('<scope>', 'bucket, or bucket:key to allow overwriting that key')
    .option(...AT_OPTION)
    .option('--expires <seconds>', 'how long it is valid', readSeconds, 3600)
    .option('--policy <json>', 'more fields of the upload policy, as a JSON object', readFields)
    .option('--allow-unknown', 'also sign policy fields that no server knows')
    .option('--json', 'one JSON object per line')
    .action((scope: string, options: MakeOptions) => {
      const { policy = {}, allowUnknown } = options;
      if (!allowUnknown) assertKnownFields(policy);
      const deadline = Math.floor(Date.now() / 1000) + options.expires;
      const made = clientAt(options.at).uploadToken({ scope, deadline, ...policy }, { allowUnknown });
      print(options, { token: made, deadline }, made);
    });
  token
    .command('explain')
    .description('explain in words what an upload token allows; its signature is checked if the key made it')
    .argument('<token>')
    .option(...AT_OPTION)
    .option('--json', 'one JSON object per line')
    .action((text: string, options: { at?: string; json?: boolean }) => {
      const keys = options.at !== undefined || hasDefaultKey() ? keysAt(options.at) : undefined;
      const { facts, words } = explainToken(text, keys, Date.now());
      print(options, facts, words.join('\n'));
    });
}

function assertKnownFields(policy: object): void {
  const unknown = unknownPolicyFields(policy);
  if (unknown.length > 0)
    throw new UsageError(
      `no server knows these policy fields: ${escapeForTerminal(unknownFieldWords(unknown))}; --allow-unknown signs them anyway`,
    );
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
    // Reported below.
  }
  throw new InvalidArgumentError('must be a JSON object such as {"insertOnly":1}');
}
