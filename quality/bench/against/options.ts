/** The command line of a comparison of two trees. Pure. */
import { parseArgs } from 'node:util';
import { number, oneOf, UsageError } from '../options.ts';

const measurementNames = ['put', 'get', 'stat', 'list', 'deliveries', 'tasks'] as const;
export type MeasurementName = (typeof measurementNames)[number];

export interface AgainstOptions {
  readonly names: readonly MeasurementName[];
  /** The other checkout. */
  readonly against: string;
  /** For one side in one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Objects that stat and list read. */
  readonly rows: number;
  readonly json: boolean;
}

export const againstUsage = `usage: npm run bench -- [${measurementNames.join('|')}]… --against <checkout>
         [--rounds N] [--seconds N] [--rows N] [--json]`;

export function isAgainst(args: readonly string[]): boolean {
  return args.some((arg) => arg === '--against' || arg.startsWith('--against='));
}

export function parseAgainst(args: readonly string[]): AgainstOptions {
  const { values, positionals } = split(args);
  if (!values.against) throw new UsageError('--against needs the folder of another checkout');
  const names = positionals.map((text) => oneOf(measurementNames, text, 'a measurement against a checkout'));
  return {
    names: names.length === 0 ? measurementNames : [...new Set(names)],
    against: values.against,
    seconds: number(values.seconds, 0.1, 600, '--seconds') ?? 1,
    rounds: number(values.rounds, 2, 1000, '--rounds') ?? 40,
    rows: number(values.rows, 1, 1e7, '--rows') ?? 4000,
    json: values.json ?? false,
  };
}

function split(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    against: text,
    seconds: text,
    rounds: text,
    rows: text,
    json: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
