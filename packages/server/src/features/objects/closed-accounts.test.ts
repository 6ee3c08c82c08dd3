import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { newBlobId } from '../../platform/blobs/index.ts';
import { Sealer } from '../../platform/secrets/sealer.ts';
import {
  AccountStore,
  Accounts,
  Audit,
  KeyStore,
  Keys,
  Passwords,
  TokenStore,
  WebhookSecretStore,
  WebhookSecrets,
} from '../accounts/index.ts';
import { BucketStore, Buckets } from '../buckets/index.ts';
import { ClosedAccounts } from './closed-accounts.ts';
import { EmptyingStore } from './emptying-store.ts';

const databases = useDatabases();
const actor = { name: 'test', address: 'local', reqid: '' };
const never = new AbortController().signal;

function setUp() {
  const { control, region } = databases;
  const sealer = new Sealer([{ id: 'k', key: randomBytes(32) }]);
  const times = { freshMs: 0, staleMs: 0 };
  const tokens = new TokenStore(control);
  const accounts = new Accounts({
    control,
    store: new AccountStore(control),
    keys: new Keys(new KeyStore(control), sealer),
    tokens,
    passwords: new Passwords(),
    audit: new Audit(control),
    webhookSecrets: new WebhookSecrets(new WebhookSecretStore(control), sealer, times),
  });
  const buckets = new Buckets(new BucketStore(control, region), { region: 'z0', maxBuckets: 10, ...times });
  return {
    accounts,
    buckets,
    tokens,
    closed: new ClosedAccounts({ accounts, buckets, store: new EmptyingStore(region) }),
  };
}

test('a closed account goes with its children, buckets, objects and tokens, but not before its time [account-rule-16]', async () => {
  const { accounts, buckets, tokens, closed } = setUp();
  const { account } = await accounts.create('closing@example.com', undefined, actor);
  const child = await accounts.createChild(account.uid, 'child@example.com', 'secret', actor);
  const { account: other } = await accounts.create('staying@example.com', undefined, actor);
  for (const [uid, name] of [
    [account.uid, 'closing'],
    [child.uid, 'closing-child'],
    [other.uid, 'staying'],
  ] as const) {
    await buckets.create(uid, name, 'z0');
    const bucket = await buckets.byName(name);
    await databases.region.pool.query(
      `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
       SELECT $1, 'k' || n, $2, 1, 'h', 't', 't', 1 FROM generate_series(1, 1500) n`,
      [bucket?.id, newBlobId()],
    );
  }
  await tokens.begin(account.uid, randomBytes(32), randomBytes(32), 60);
  await accounts.close(account.uid, actor);
  expect((await accounts.byEmail('child@example.com')).is_disabled).toBe(true);
  expect(await closed.remove(never)).toBe(0);
  await databases.control.pool.query(
    `UPDATE control.accounts SET closed_at = closed_at - interval '31 days'`,
  );
  expect(await closed.remove(never)).toBe(2);
  for (const email of ['closing@example.com', 'child@example.com']) {
    await expect(accounts.byEmail(email)).rejects.toMatchObject({ fault: 'recordNotFound' });
  }
  expect(await buckets.byName('closing')).toBeUndefined();
  const count = async (text: string) =>
    Number((await databases.region.pool.query<{ n: bigint }>(text)).rows[0]?.n);
  expect(await count('SELECT count(*) AS n FROM region.objects')).toBe(1500);
  expect(await count('SELECT count(*) AS n FROM region.trash')).toBe(3000);
  expect(await count('SELECT count(*) AS n FROM region.bucket_gate')).toBe(1);
});

test('a closed account can be opened again within its time', async () => {
  const { accounts, closed } = setUp();
  const { account } = await accounts.create('back@example.com', undefined, actor);
  await accounts.close(account.uid, actor);
  await accounts.setDisabled(account.uid, false, undefined, actor);
  await databases.control.pool.query(
    `UPDATE control.accounts SET closed_at = closed_at - interval '31 days'`,
  );
  await closed.remove(never);
  expect((await accounts.byUid(account.uid)).is_disabled).toBe(false);
});

test('a bucket closes only when what began before has ended', async () => {
  const { accounts, buckets } = setUp();
  const { account } = await accounts.create('gate@example.com', undefined, actor);
  await buckets.create(account.uid, 'gate-bucket', 'z0');
  const bucket = await buckets.byName('gate-bucket');
  if (bucket === undefined) throw new Error('no bucket');
  const client = await databases.region.pool.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query('SELECT state FROM region.bucket_gate');
  let isClosed = false;
  const closing = buckets.close(bucket).then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isClosed).toBe(false);
  await client.query('COMMIT');
  client.release();
  await closing;
  expect(isClosed).toBe(true);
});
