/**
 * What completion looks up while somebody types: aliases, buckets and keys. It gives up silently and quickly when it
 * can't answer: nobody wants to read about an unreachable server in the middle of a line.
 */
import type { Client } from '@millpond/client/server';
import { readAliases } from '../remote/aliases.ts';
import { hasDefaultKey, Installations } from '../remote/installation.ts';
import { parseLocation } from '../remote/location.ts';
import { type CompletionKind, completionKinds } from './nodes.ts';

const WAIT_SECONDS = 5;
/** More than anybody reads in a terminal. */
const MAX_CANDIDATES = 200;

/** Prints the words that would fit, one per line. */
export async function answerCompletion([kind, word = '']: readonly string[]): Promise<void> {
  const asked = completionKinds.find((each) => each === kind);
  if (asked === undefined) return;
  const found = await wordsFor(asked, word).catch(() => []);
  // A name with a line break can't be typed here either.
  const lines = found.filter((each) => each.startsWith(word) && !/\p{Cc}/u.test(each));
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

async function wordsFor(kind: CompletionKind, word: string): Promise<string[]> {
  if (kind === 'alias') return [...readAliases().keys()];
  if (kind === 'bucket-name') return bucketsOf(clientOf(''), word);
  if (!word.includes(':')) {
    // Most people who have typed nothing yet want files.
    if (kind === 'path-or-place' && word === '') return [];
    return [...(hasDefaultKey() ? [':'] : []), ...[...readAliases().keys()].map((alias) => `${alias}:`)];
  }
  const location = parseLocation(word);
  if (location.kind !== 'remote') return [];
  const { alias, bucket, key } = location;
  const before = `${alias}:${bucket}/`;
  if (!word.startsWith(before)) {
    const names = await bucketsOf(clientOf(alias), bucket);
    return names.map((name) => `${alias}:${name}${kind === 'bucket' ? '' : '/'}`);
  }
  if (kind === 'bucket') return [];
  const query = { prefix: key, delimiter: '/', limit: MAX_CANDIDATES, signal: patience() };
  const keys: string[] = [];
  for await (const { item, dir } of clientOf(alias).objects.list(bucket, query))
    keys.push(before + (item?.key ?? dir));
  return keys;
}

async function bucketsOf(client: Client, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of client.buckets.list({ signal: patience() })) {
    if (name.startsWith(prefix)) names.push(name);
    if (names.length === MAX_CANDIDATES) break;
  }
  return names;
}

function clientOf(alias: string): Client {
  return new Installations({ resume: false, retry: { tries: 1 } }).client(alias);
}

function patience(): AbortSignal {
  const given = Number(process.env.MILLPOND_COMPLETION_SECONDS ?? WAIT_SECONDS);
  return AbortSignal.timeout((given > 0 && given <= 3600 ? given : WAIT_SECONDS) * 1000);
}
