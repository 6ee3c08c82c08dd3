/** Two aliases of one installation: what is copied or moved between them is so by the server, and into itself never. */
import { finishCommand } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { useCommandLine } from '../support/running/cli.ts';
import { collected, sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const cli = useCommandLine();
const client = sdkClient();
/** Without the environment's key; the installation is `plain` by one address, and `secure` by another. */
const { HOME, XDG_CACHE_HOME, NODE_EXTRA_CA_CERTS } = cli.environment as Record<string, string>;
const environment = {
  HOME: HOME ?? '',
  XDG_CACHE_HOME: XDG_CACHE_HOME ?? '',
  NODE_EXTRA_CA_CERTS: NODE_EXTRA_CA_CERTS ?? '',
};
const run = (...args: string[]) => finishCommand(environment, args);

beforeAll(async () => {
  const { accessKey, secretKey } = target.account;
  for (const [name, url] of [
    ['plain', target.url],
    ['secure', target.secure.url],
  ] as const)
    await finishCommand(environment, ['alias', 'set', name, url, '--access-key', accessKey], secretKey);
});

async function bucketOf(...keys: string[]): Promise<string> {
  const bucket = await newBucket();
  for (const key of keys) await client.upload(bucket, key, `content of ${key}`);
  return bucket;
}

const keysIn = async (bucket: string) =>
  (await collected(client.objects.list(bucket))).map(({ item }) => item.key);

test('cp -r between aliases of one installation copies on the server: no byte comes here', async () => {
  const [from, to] = [await bucketOf('a', 'd/e'), await newBucket()];
  const { code, stdout } = await run('cp', '-r', `plain:${from}`, `secure:${to}/copy`, '--json');
  expect(code).toBe(0);
  expect(await keysIn(to)).toEqual(['copy/a', 'copy/d/e']);
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as object;
  expect(last).toMatchObject({ received: 0, sent: 0 });
});

test('mv between aliases of one installation moves on the server', async () => {
  const [from, to] = [await bucketOf('a', 'd/e'), await newBucket()];
  expect(await run('mv', '-r', `plain:${from}`, `secure:${to}/moved`)).toMatchObject({ code: 0 });
  expect([await keysIn(from), await keysIn(to)]).toEqual([[], ['moved/a', 'moved/d/e']]);
});

test('cp -r and mv -r of a folder into itself are refused, and nothing is done', async () => {
  const bucket = await bucketOf('d/a', 'd/b', 'de/c');
  const pairs = [
    [`plain:${bucket}`, `plain:${bucket}/copy`],
    [`plain:${bucket}/d`, `plain:${bucket}/d/e`],
    [`plain:${bucket}/d/`, `secure:${bucket}/d/e`],
    [`plain:${bucket}/d`, `plain:${bucket}/d`],
  ] as const;
  for (const command of ['cp', 'mv']) {
    for (const [from, to] of pairs) {
      expect(await run(command, '-r', from, to), `${command} ${from} ${to}`).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${to} is inside ${from}`),
      });
    }
  }
  expect(await keysIn(bucket)).toEqual(['d/a', 'd/b', 'de/c']);
  // Beside it is no part of it.
  expect(await run('cp', '-r', `plain:${bucket}/d`, `plain:${bucket}/de`)).toMatchObject({ code: 0 });
  expect(await keysIn(bucket)).toEqual(['d/a', 'd/b', 'de/a', 'de/b', 'de/c']);
});
