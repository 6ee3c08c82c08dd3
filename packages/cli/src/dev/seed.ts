/**
 * The seed file: accounts, buckets, objects and workflow templates that `millpond dev` sets up. All faults are reported
 * at once, each with its place in the file.
 */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import {
  checkBucketName,
  checkKey,
  Fault,
  faultBody,
  isEmailAddress,
  parseMetadataName,
} from '@millpond/protocol';
import { UsageError } from '../exit.ts';

export interface SeedObject {
  readonly key: string;
  /** A file next to the seed file, or its content as text. */
  readonly file?: string;
  readonly text?: string;
  readonly mimeType?: string;
  /** 0 standard, 1 infrequent, 2 archive, 3 deep archive. */
  readonly class?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface SeedBucket {
  readonly name: string;
  readonly private?: boolean;
  readonly objects?: readonly SeedObject[];
}

export interface SeedAccount {
  readonly email: string;
  readonly password?: string;
  readonly accessKey?: string;
  readonly secretKey?: string;
  readonly buckets?: readonly SeedBucket[];
  /** Names of workflow templates and their commands. */
  readonly templates?: Readonly<Record<string, string>>;
}

export interface Seed {
  readonly accounts: readonly SeedAccount[];
}

/** The setup without a seed file. */
export const defaultSeed: Seed = {
  accounts: [{ email: 'dev@example.com', buckets: [{ name: 'photos' }] }],
};

export class SeedError extends UsageError {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `the seed file has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.faults = faults;
  }
}

const MAX_LISTED_PROBLEMS = 20;
const KEY = /^[\w-]{20,64}$/;
const CLASSES = [0, 1, 2, 3];
const SOME = /./s;
const ANY = /^/;

/** Files are looked for next to the seed file, in `folder`. */
export function parseSeed(text: string, folder: string): Seed {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new SeedError([`it is not JSON: ${(error as Error).message}`]);
  }
  const check = new Check(folder);
  check.object(json, '', { accounts: 'required' });
  const accounts = check.list((json as Partial<Seed> | null)?.accounts, 'accounts');
  if (check.faults.length === 0 && accounts.length === 0) check.say('accounts', 'needs at least one account');
  accounts.forEach((account, index) => {
    checkAccount(check, account, `accounts[${index}]`);
  });
  check.unique(
    accounts.map((account) => (account as SeedAccount | null)?.email),
    'accounts',
    'email',
  );
  const buckets = accounts.flatMap((account) => (account as SeedAccount | null)?.buckets ?? []);
  if (check.faults.length === 0)
    check.unique(
      buckets.map(({ name }) => name),
      'buckets',
      'name',
    );
  if (check.faults.length > 0) throw new SeedError(check.faults.slice(0, MAX_LISTED_PROBLEMS));
  return json as Seed;
}

function checkAccount(check: Check, value: unknown, at: string): void {
  const names = ['password', 'accessKey', 'secretKey', 'buckets', 'templates'];
  const account = check.object(value, at, { email: 'required', ...optional(names) });
  if (account === undefined) return;
  const { email } = account;
  if (email !== undefined && (typeof email !== 'string' || !isEmailAddress(email)))
    check.say(`${at}.email`, 'must be an e-mail address');
  check.text(account.password, `${at}.password`, SOME, 'non-empty text');
  check.text(account.accessKey, `${at}.accessKey`, KEY, '20 to 64 letters, digits, `-` and `_`');
  check.text(account.secretKey, `${at}.secretKey`, KEY, '20 to 64 letters, digits, `-` and `_`');
  if ((account.accessKey === undefined) !== (account.secretKey === undefined))
    check.say(at, 'accessKey and secretKey must be given together');
  check.list(account.buckets, `${at}.buckets`).forEach((bucket, index) => {
    checkBucket(check, bucket, `${at}.buckets[${index}]`);
  });
  if (account.templates === undefined) return;
  for (const [name, commands] of Object.entries(check.object(account.templates, `${at}.templates`) ?? {}))
    check.text(commands, `${at}.templates.${name}`, SOME, 'commands, as text');
}

function checkBucket(check: Check, value: unknown, at: string): void {
  const bucket = check.object(value, at, { name: 'required', ...optional(['private', 'objects']) });
  if (bucket === undefined) return;
  check.rule(`${at}.name`, () => checkBucketName(String(bucket.name)));
  if (bucket.private !== undefined && typeof bucket.private !== 'boolean')
    check.say(`${at}.private`, 'must be true or false');
  check.list(bucket.objects, `${at}.objects`).forEach((object, index) => {
    checkObject(check, object, `${at}.objects[${index}]`);
  });
}

function checkObject(check: Check, value: unknown, at: string): void {
  const names = ['file', 'text', 'mimeType', 'class', 'metadata'];
  const object = check.object(value, at, { key: 'required', ...optional(names) });
  if (object === undefined) return;
  if (typeof object.key !== 'string') check.say(`${at}.key`, 'must be text');
  else check.rule(`${at}.key`, () => checkKey(String(object.key)));
  check.file(object.file, `${at}.file`);
  check.text(object.text, `${at}.text`, ANY, 'text');
  check.text(object.mimeType, `${at}.mimeType`, SOME, 'a type such as image/png');
  if ((object.file === undefined) === (object.text === undefined)) check.say(at, 'needs either file or text');
  if (object.class !== undefined && !CLASSES.includes(object.class as number))
    check.say(`${at}.class`, 'must be 0 (standard), 1 (infrequent), 2 (archive) or 3 (deep archive)');
  if (object.metadata === undefined) return;
  for (const [name, pair] of Object.entries(check.object(object.metadata, `${at}.metadata`) ?? {})) {
    check.rule(`${at}.metadata.${name}`, () => parseMetadataName(name));
    check.text(pair, `${at}.metadata.${name}`, ANY, 'text');
  }
}

function optional(names: readonly string[]): Record<string, 'optional'> {
  return Object.fromEntries(names.map((name) => [name, 'optional' as const]));
}

/** Collects faults with their places. */
class Check {
  readonly faults: string[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  say(at: string, what: string): void {
    this.faults.push(`${at === '' ? 'the file' : at} ${what}`);
  }

  /** The object, or undefined if it is not one; with `names`, no other fields are allowed. */
  object(
    value: unknown,
    at: string,
    names?: Readonly<Record<string, 'required' | 'optional'>>,
  ): Record<string, unknown> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.say(at, 'must be an object, {…}');
      return undefined;
    }
    if (names === undefined) return value as Record<string, unknown>;
    for (const name of Object.keys(value))
      if (!Object.hasOwn(names, name))
        this.say(at, `has "${name}", which is unknown; known are ${Object.keys(names).join(', ')}`);
    for (const [name, need] of Object.entries(names))
      if (need === 'required' && !Object.hasOwn(value, name)) this.say(at, `needs "${name}"`);
    return value as Record<string, unknown>;
  }

  list(value: unknown, at: string): readonly unknown[] {
    if (Array.isArray(value)) return value as readonly unknown[];
    if (value !== undefined) this.say(at, 'must be a list, […]');
    return [];
  }

  text(value: unknown, at: string, form: RegExp, described: string): void {
    if (value !== undefined && !(typeof value === 'string' && form.test(value)))
      this.say(at, `must be ${described}`);
  }

  file(value: unknown, at: string): void {
    this.text(value, at, SOME, 'the name of a file');
    if (typeof value !== 'string' || value === '') return;
    const file = path.resolve(this.#folder, value);
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.say(
        at,
        `names ${file}, which ${code === 'ENOENT' ? 'does not exist' : `can't be read (${code})`}`,
      );
    }
  }

  /** A rule of the API itself. */
  rule(at: string, judge: () => unknown): void {
    try {
      judge();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { error: said, hint } = faultBody(error);
      this.say(at, `is not allowed: ${said}${hint === undefined ? '' : ` (${hint})`}`);
    }
  }

  unique(values: readonly unknown[], at: string, name: string): void {
    for (const value of new Set(values.filter((each, index) => values.indexOf(each) !== index)))
      if (value !== undefined) this.say(at, `has two with the ${name} ${JSON.stringify(value)}`);
  }
}
