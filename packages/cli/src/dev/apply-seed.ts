/** Sets up what a seed file says: accounts and buckets as an operator does, the rest with calls as applications make them. */
import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import path from 'node:path';
import { type AccessKeyPair, FORM_TYPE } from '@millpond/protocol';
import { type Config, openOperatorTools } from '@millpond/server';
import { callLocally, type LocalServer, uploadLocally } from './local-call.ts';
import type { Seed, SeedAccount, SeedObject } from './seed.ts';
import { SeedError } from './seed.ts';

export interface SeededAccount {
  readonly email: string;
  /** Absent in data of versions without a console. */
  readonly password?: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly buckets: readonly string[];
}

/** Needs only the database. */
export async function seedAccounts(config: Config, seed: Seed): Promise<SeededAccount[]> {
  const tools = openOperatorTools(config);
  try {
    const seeded: SeededAccount[] = [];
    for (const [
      index,
      { email, password = newPassword(), accessKey, secretKey, buckets = [] },
    ] of seed.accounts.entries()) {
      const given =
        accessKey === undefined || secretKey === undefined ? {} : { key: { accessKey, secretKey } };
      // The console of a developer's machine shows everything to the first account.
      const first = { ...given, isOperator: index === 0 };
      const { account, key } = await told(`accounts[${index}]`, () =>
        tools.accounts.create(email, password, tools.actor, first),
      );
      for (const { name } of buckets) await tools.createBucket(account.uid, name);
      const [webhook] = await tools.accounts.webhookSecrets(account.uid, tools.actor);
      seeded.push({
        email,
        password,
        ...key,
        webhookSecret: webhook?.secret ?? '',
        buckets: buckets.map(({ name }) => name),
      });
    }
    return seeded;
  } finally {
    await tools.close();
  }
}

/** Data of a version that named its operator otherwise has none. */
export async function ensureOperator(config: Config, email: string): Promise<void> {
  const tools = openOperatorTools(config);
  const { accounts, actor } = tools;
  try {
    if ((await accounts.operators()).length > 0) return;
    const { uid } = await accounts.byEmail(email);
    await accounts.setOperator(uid, true, actor);
  } finally {
    await tools.close();
  }
}

/** For somebody to sign in with at the console. Not the same everywhere: other users of the machine can reach it too. */
function newPassword(): string {
  return randomBytes(9).toString('base64url');
}

/** Whether there is anything that only a running server can set up. */
export function needsServer(seed: Seed): boolean {
  return seed.accounts.some(
    ({ buckets = [], templates }) =>
      templates !== undefined || buckets.some((bucket) => bucket.private || bucket.objects !== undefined),
  );
}

/** Files are looked for next to the seed file, in `folder`. */
export async function seedContents(
  server: LocalServer,
  seed: Seed,
  accounts: readonly SeededAccount[],
  folder: string,
): Promise<void> {
  for (const [index, account] of seed.accounts.entries()) {
    const keys = accounts[index];
    if (keys !== undefined) await seedAccountContents(server, account, keys, folder, `accounts[${index}]`);
  }
}

async function seedAccountContents(
  server: LocalServer,
  { buckets = [], templates = {} }: SeedAccount,
  keys: AccessKeyPair,
  folder: string,
  at: string,
): Promise<void> {
  for (const [index, bucket] of buckets.entries()) {
    const place = `${at}.buckets[${index}]`;
    for (const [number, object] of (bucket.objects ?? []).entries())
      await told(`${place}.objects[${number}]`, () => seedObject(server, keys, bucket.name, object, folder));
    if (bucket.private) {
      const body = Buffer.from(`bucket=${bucket.name}&private=1`);
      await told(place, () =>
        callLocally(server, { method: 'POST', target: '/private', contentType: FORM_TYPE, body, keys }),
      );
    }
  }
  for (const [name, commands] of Object.entries(templates)) {
    const target = `/v1/workflows/${encodeURIComponent(name)}`;
    const body = Buffer.from(JSON.stringify({ commands }));
    await told(`${at}.templates.${name}`, () =>
      callLocally(server, { method: 'PUT', target, contentType: 'application/json', body, keys }),
    );
  }
}

async function seedObject(
  server: LocalServer,
  keys: AccessKeyPair,
  bucket: string,
  object: SeedObject,
  folder: string,
): Promise<void> {
  const { key, file, text = '', mimeType, metadata = {} } = object;
  const content = file === undefined ? new Blob([text]) : await openAsBlob(path.resolve(folder, file));
  const fileName = path.basename(file ?? (key === '' ? 'file' : key));
  const storageClass = object.class;
  await uploadLocally(server, keys, { bucket, key, content, fileName, mimeType, storageClass, metadata });
}

/** Reports a failure with its place in the file. */
async function told<Result>(at: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new SeedError([`${at} could not be set up: ${(error as Error).message}`]);
  }
}
