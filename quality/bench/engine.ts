/** The bare engine next to the server: what a bench lists and cleans up in it. */
import { randomBytes } from 'node:crypto';
import { presigner } from './load/presign.ts';
import type { Engine } from './load/work.ts';
import { addressOf } from './requests.ts';

const MAX_CONCURRENT_DELETES = 16;
const MAX_CONCURRENT_PUTS = 4;

export function engineOf(environment: Readonly<Record<string, string>>, bucket: string): Engine {
  const setting = (name: string) => {
    const value = environment[name];
    if (value === undefined) throw new Error(`the engines' settings have no ${name}`);
    return value;
  };
  return {
    ...addressOf(setting('MILLPOND_S3_ENDPOINT')),
    region: setting('MILLPOND_S3_REGION'),
    bucket,
    accessKey: setting('MILLPOND_S3_ACCESS_KEY'),
    secretKey: setting('MILLPOND_S3_SECRET_KEY'),
  };
}

/** Keys of the objects in the engine's bucket. */
async function listEngine(engine: Engine): Promise<string[]> {
  const keys: string[] = [];
  for (let after = ''; ; after = keys.at(-1) ?? '') {
    const answer = await call(engine, 'GET', '', [
      ['list-type', '2'],
      ['start-after', after],
    ]);
    const page = Array.from(answer.matchAll(/<Key>([^<]+)<\/Key>/g), (match) => match[1] ?? '');
    keys.push(...page);
    if (page.length === 0 || !answer.includes('<IsTruncated>true<')) return keys;
  }
}

export async function putKey(engine: Engine, key: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  await call(engine, 'PUT', key, [], body);
}

/** Objects of the bare engine's own; returns their keys. */
export async function putInEngine(engine: Engine, count: number, bytes: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) => `bare/${index}`);
  const waiting = keys.values();
  const worker = async () => {
    for (const key of waiting) await putKey(engine, key, randomBytes(bytes));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_PUTS }, worker));
  return keys;
}

/** Deletes every object: otherwise bodies of 64 MiB would fill the engine's disks in a few rounds. */
export async function emptyEngine(engine: Engine): Promise<void> {
  const waiting = (await listEngine(engine)).values();
  const worker = async () => {
    for (const key of waiting) await call(engine, 'DELETE', key);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_DELETES }, worker));
}

export async function createEngineBucket(engine: Engine): Promise<void> {
  await call(engine, 'PUT', '');
}

/** Leaves nothing of a bench behind. */
export async function removeEngineBucket(engine: Engine): Promise<void> {
  await emptyEngine(engine);
  await call(engine, 'DELETE', '');
}

async function call(
  engine: Engine,
  method: string,
  key: string,
  parameters: readonly (readonly [string, string])[] = [],
  body?: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const target = presigner(engine)(method, key, parameters);
  const answer = await fetch(`http://${engine.host}:${engine.port}${target}`, {
    method,
    ...(body && { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the engine answered ${answer.status} to ${method} ${key}: ${text}`);
  return text;
}
