/** The command line of `npm run sdks`. */
import { parseArgs } from 'node:util';
import { sdks } from './programs.ts';

export class UsageError extends Error {
  override name = 'UsageError';
}

export interface Options {
  readonly folder: string;
  readonly only: readonly string[];
  readonly store: 's3' | 'disk';
  readonly json: boolean;
}

export const usage = `npm run sdks -- <folder> [--only python,php] [--store disk|s3] [--json]

Runs the common list of calls through Qiniu's SDKs, unmodified, against a server of its own (it needs the engines: npm run engines -- up).
The folder holds their sources: ${sdks.map(({ repository }) => repository).join(', ')}, for PHP also php-enum (of myclabs), for
Go also gomath (of alex-ant) and fileutil (of cznic); npm is a folder in which \`npm install qiniu-js kodo-s3-adapter-sdk\` was run.
Exit codes: 0 all calls passed but those that are known to fail, 1 not so, 2 wrong usage, 3 an SDK is not in the folder.`;

/** Undefined: help was asked for. */
export function parseOptions(args: string[]): Options | undefined {
  const { values, positionals } = parsed(args);
  if (values.help) return undefined;
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new UsageError('name one folder');
  const only = values.only === undefined ? [] : values.only.toLowerCase().split(',');
  const unknown = only.filter((name) => !sdks.some((sdk) => sdk.name.toLowerCase() === name));
  if (unknown.length > 0) throw new UsageError(`--only ${unknown.join(',')}: there is no such SDK`);
  if (values.store !== 'disk' && values.store !== 's3') throw new UsageError('--store is disk or s3');
  return { folder, only, store: values.store, json: values.json };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        store: { type: 'string', default: 'disk' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
