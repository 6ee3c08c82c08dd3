import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { WebhookSecretStore } from './webhook-secret.store.ts';
import { WebhookSecrets } from './webhook-secrets.ts';

const databases = useDatabases();
const masterKey = (id: string) => ({ id, key: randomBytes(32) });
const old = masterKey('old');

/** As one gateway has them. */
function gateway(sealer = new Sealer([old])): WebhookSecrets {
  return new WebhookSecrets(new WebhookSecretStore(databases.control), sealer, { freshMs: 0, staleMs: 0 });
}

async function newAccount(): Promise<bigint> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const { rows } = await databases.control.pool.query<{ uid: bigint }>(
    'INSERT INTO control.accounts (email) VALUES ($1) RETURNING uid',
    [email],
  );
  return rows[0]?.uid ?? 0n;
}

const rowsOf = async (uid: bigint) =>
  (await databases.control.pool.query('SELECT * FROM control.webhook_secrets WHERE uid = $1', [uid])).rows;

test('is made once, however many gateways need it first at the same time', async () => {
  const uid = await newAccount();
  const gateways = Array.from({ length: 8 }, () => gateway());
  const seen = await Promise.all(gateways.map((each) => each.of(uid)));
  expect(seen[0]).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
  for (const secrets of seen) expect(secrets).toEqual(seen[0]);
  expect(await rowsOf(uid)).toHaveLength(1);
  expect(await gateway().of(uid)).toEqual(seen[0]);
});

test('is another for every account, and sealed', async () => {
  const [one, two] = [await newAccount(), await newAccount()];
  const [first = '', second = ''] = [...(await gateway().of(one)), ...(await gateway().of(two))];
  expect(first).not.toBe(second);
  const [row] = (await rowsOf(one)) as { sealed_secret: Buffer }[];
  expect(row?.sealed_secret.includes(first)).toBe(false);
  expect(row?.sealed_secret.includes(Buffer.from(first.slice('whsec_'.length), 'base64'))).toBe(false);
});

test('does not open in the row of another account', async () => {
  const [one, two] = [await newAccount(), await newAccount()];
  await gateway().of(one);
  await databases.control.pool.query('UPDATE control.webhook_secrets SET uid = $2 WHERE uid = $1', [
    one,
    two,
  ]);
  await expect(gateway().of(two)).rejects.toThrow('cannot be opened');
});

test('while one is exchanged both are given, the newest first; a retired one is not', async () => {
  const uid = await newAccount();
  const [first = ''] = await gateway().of(uid);
  const retire = (when: string) =>
    databases.control.pool.query(
      `UPDATE control.webhook_secrets SET retires_at = now() + $2::interval WHERE uid = $1 AND retires_at IS NULL`,
      [uid, when],
    );
  await retire('1 hour');
  const store = new WebhookSecretStore(databases.control);
  const sealed = new Sealer([old]).seal('whsec_bmV4dA==', `webhook secret of ${uid}`);
  await store.insertFirst({ uid, sealed_secret: sealed.bytes, master_key: sealed.masterKey });
  expect(await gateway().of(uid)).toEqual(['whsec_bmV4dA==', first]);
  await databases.control.pool.query(
    `UPDATE control.webhook_secrets SET retires_at = now() - interval '1 s' WHERE uid = $1 AND retires_at IS NOT NULL`,
    [uid],
  );
  expect(await gateway().of(uid)).toEqual(['whsec_bmV4dA==']);
});

test('is wrapped anew when the master key is exchanged, and stays the same', async () => {
  const uid = await newAccount();
  const before = await gateway().of(uid);
  await databases.control.pool.query(`DELETE FROM control.webhook_secrets WHERE uid <> $1`, [uid]);
  const next = masterKey('next');
  const both = gateway(new Sealer([next, old]));
  expect(await both.of(uid)).toEqual(before);
  expect(await both.rotateMasterKey()).toBe(1);
  expect(await both.rotateMasterKey()).toBe(0);
  expect(await gateway(new Sealer([next])).of(uid)).toEqual(before);
  await expect(gateway().of(uid)).rejects.toThrow('not configured');
});
