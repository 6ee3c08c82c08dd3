/** The command line of a bench, and its defaults. Pure. */
import { parseArgs } from 'node:util';

export const sizes = {
  '1k': 1024,
  '4k': 4 * 1024,
  '16k': 16 * 1024,
  '64k': 64 * 1024,
  '1m': 1024 * 1024,
  '4m': 4 * 1024 * 1024,
  '64m': 64 * 1024 * 1024,
} as const;
const names = [
  'put',
  'parts',
  'get',
  's3-put',
  's3-get',
  'merged',
  'small',
  'stat',
  'list',
  'batch',
  'rows',
  'deliveries',
  'live',
  'images',
  'cp',
  'dev-start',
  'transcode',
  'tasks',
  'console-list',
  'supabase',
] as const;
const smalls = ['cache', 'inbox', 'packs', 'off'] as const;
const stores = ['s3', 'disk'] as const;
const ways = ['stream', 'nginx', 'redirect'] as const;
const modes = ['rate', 'latency', 'hanging', 'waiting', 'killed', 'large', 'list', 'sync'] as const;
const modesOf: Partial<Record<Name, readonly Mode[]>> = {
  deliveries: ['rate', 'latency', 'hanging', 'waiting'],
  cp: ['rate', 'killed', 'large', 'list', 'sync'],
};

export type Size = keyof typeof sizes;
export type Name = (typeof names)[number];
export type Store = (typeof stores)[number];
export type Transport = (typeof ways)[number];
export type ListForm = 'page' | 'stream' | 'delimiter';
export type Small = (typeof smalls)[number];
export type Mode = (typeof modes)[number];

export interface Options {
  readonly name: Name;
  readonly size: Size;
  readonly concurrency: number;
  /** For one side in one round; or of the video that is transcoded. */
  readonly seconds: number;
  readonly rounds: number;
  /** Rows in the object table, or waiting tasks, before the measurement; 0: only its own. */
  readonly rows: number;
  readonly way: Transport;
  /** Where the server keeps its bytes; for images. */
  readonly store: Store;
  /** Downloads from a private bucket, each with its token. */
  readonly signed: boolean;
  /** Where the bytes of small objects are found; `off`: in the engine, one blob each. */
  readonly small: Small;
  /** For a list: a page, a whole bucket as a stream, or a page of groups. */
  readonly list: ListForm;
  /** Which aspect of deliveries, or of copies with the command line, is measured. */
  readonly mode: Mode;
  /** A built checkout of supabase/storage, which is measured beside us. */
  readonly source: string | undefined;
  readonly json: boolean;
  /** Take a CPU profile of the server and report where its time went. */
  readonly profile: boolean;
}

export class UsageError extends Error {}

export const usage = `usage: npm run bench -- ${names.join('|')} [--size ${Object.keys(sizes).join('|')}] [--concurrency N]
         [--seconds N] [--rounds N] [--rows N] [--way ${ways.join('|')}] [--signed] [--small ${smalls.join('|')}]
         [--mode ${modes.join('|')}] [--stream|--delimiter] [--store ${stores.join('|')}] [--profile] [--json]
       npm run bench -- supabase --source <built checkout of supabase/storage> [--seconds N] [--rounds N] [--json]`;

const CONCURRENCY: Record<Size, number> = {
  '1k': 32,
  '4k': 32,
  '16k': 32,
  '64k': 32,
  '1m': 8,
  '4m': 8,
  '64m': 4,
};
/** Default numbers of existing objects, and of waiting tasks. */
const ROWS_OF: Partial<Record<Name, number>> = { rows: 1e7, small: 1e7, tasks: 1e4 };
/** Benches of bodies of any size. */
const SIZED: readonly Name[] = ['put', 'get', 's3-put', 's3-get'];
/** Benches of one size: parts as clients send them, and objects that are worth merging. */
const SIZE_OF: Partial<Record<Name, Size>> = { parts: '4m', merged: '64m' };

export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = split(args);
  const name = oneOf(names, positionals[0] ?? '', 'the bench');
  if (positionals.length > 1) throw new UsageError(`only one bench at a time, not also ${positionals[1]}`);
  if (values.size !== undefined && !SIZED.includes(name))
    throw new UsageError(`--size is for ${SIZED.join(', ')} only`);
  if (values.way !== undefined && name !== 'get') throw new UsageError('--way is for get only');
  if (values.store !== undefined && name !== 'images') throw new UsageError('--store is for images only');
  if ((values.source === undefined) === (name === 'supabase'))
    throw new UsageError('supabase needs --source, and nothing else does');
  if (values.small !== undefined && !SIZED.includes(name))
    throw new UsageError(`--small is for ${SIZED.join(', ')} only`);
  if (values.signed && name !== 'get') throw new UsageError('--signed is for get only');
  if (values.mode !== undefined && !modesOf[name]?.some((mode) => mode === values.mode))
    throw new UsageError(`--mode of ${name} must be ${modesOf[name]?.join(', ') ?? 'none'}`);
  if (
    values.rows !== undefined &&
    !['put', 'stat', 'list', 'batch', 'rows', 'small', 'deliveries', 'cp', 'tasks', 'console-list'].includes(
      name,
    )
  )
    throw new UsageError(
      '--rows is for put, stat, list, batch, rows, small, deliveries, cp, tasks and console-list only',
    );
  const list = listForm(name, values);
  const size = oneOf(Object.keys(sizes) as Size[], values.size ?? SIZE_OF[name] ?? '4k', '--size');
  return {
    name,
    size,
    concurrency: number(values.concurrency, 1, 1024, '--concurrency') ?? defaultConcurrency(name, size, list),
    seconds: number(values.seconds, 0.1, 600, '--seconds') ?? (name === 'transcode' ? 80 : 3),
    rounds: number(values.rounds, 1, 100, '--rounds') ?? (name === 'transcode' ? 3 : 5),
    rows: number(values.rows, 0, 1e9, '--rows') ?? ROWS_OF[name] ?? 0,
    way: oneOf(ways, values.way ?? 'stream', '--way'),
    store: oneOf(stores, values.store ?? 's3', '--store'),
    signed: values.signed ?? false,
    small: oneOf(smalls, values.small ?? 'cache', '--small'),
    list,
    mode: oneOf(modes, values.mode ?? 'rate', '--mode'),
    source: values.source,
    json: values.json ?? false,
    profile: values.profile ?? false,
  };
}

function listForm(name: Name, { stream, delimiter }: { stream?: boolean; delimiter?: boolean }): ListForm {
  if ((stream || delimiter) && name !== 'list')
    throw new UsageError('--stream and --delimiter are for list only');
  if (stream && delimiter) throw new UsageError('give one of --stream and --delimiter');
  if (stream) return 'stream';
  return delimiter ? 'delimiter' : 'page';
}

function defaultConcurrency(name: Name, size: Size, list: ListForm): number {
  if (list !== 'page') return 1;
  if (name === 'list' || name === 'rows') return 8;
  if (name === 'images') return 4;
  return CONCURRENCY[size];
}

function split(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    size: text,
    concurrency: text,
    seconds: text,
    rounds: text,
    rows: text,
    way: text,
    store: text,
    signed: flag,
    small: text,
    stream: flag,
    delimiter: flag,
    mode: text,
    source: text,
    json: flag,
    profile: flag,
  };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function oneOf<const T extends string>(choices: readonly T[], value: string, what: string): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`${what} must be one of ${choices.join(', ')}`);
  return found;
}

/** Integers, except for seconds. */
export function number(text: string | undefined, min: number, max: number, what: string): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?(e\d)?$/.test(text) ? Number(text) : Number.NaN;
  const whole = what === '--seconds' || Number.isInteger(value);
  if (!whole || !(value >= min && value <= max))
    throw new UsageError(`${what} must be a number from ${min} to ${max}`);
  return value;
}
