import { randomBytes } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import { expect, test, vi } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { untilWaiting } from '../../../../test/locks.ts';
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
} from '../../../identity/accounts/accounts.testing.ts';
import { Sealer } from '../../../platform/secrets/sealer.ts';
import { BucketStore, bucketsOf } from '../../buckets/buckets.testing.ts';
import { ClosedAccounts } from './closed-accounts.ts';
import { BucketDrops } from './drop-bucket.ts';
import { EmptyingStore } from './emptying.store.ts';

const databases = useDatabases();
const actor = { name: 'test', address: 'local', reqid: '' };
const never = new AbortController().signal;

function setUp(store = new EmptyingStore(databases.region)) {
  const { control, region } = databases;
  const sealer = new Sealer([{ id: 'k', key: randomBytes(32) }]);
  const times = { freshMs: 0, staleMs: 0 };
  const tokens = new TokenStore(control);
  const accounts = new Accounts({
    control,
    store: new AccountStore(control),
    keys: new Keys(new KeyStore(control), sealer),
    tokens,
    passwords: new Passwords({ minCharacters: 8 }),
    audit: new Audit(control),
    webhookSecrets: new WebhookSecrets(new WebhookSecretStore(control), sealer, times),
  });
  const buckets = bucketsOf(control, region, { region: 'z0', maxBuckets: 10, ...times });
  return {
    accounts,
    buckets,
    tokens,
    drops: new BucketDrops(buckets, store),
    closed: new ClosedAccounts({ accounts, buckets, store, region: 'z0' }),
  };
}

/** Does something between the batches of an emptying. */
class WatchedStore extends EmptyingStore {
  afterBatch: () => Promise<unknown> = async () => undefined;

  override async removeSome(bucketId: bigint, most: number): Promise<number> {
    const removed = await super.removeSome(bucketId, most);
    await this.afterBatch();
    return removed;
  }
}

async function fill(bucketId: bigint | undefined, objects: number): Promise<void> {
  await databases.region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time)
     SELECT $1, 'k' || n, $2, 1, 'h', 't', 't', 1 FROM generate_series(1, $3::int) n`,
    [bucketId, newBlobId(), objects],
  );
}

const count = async (text: string, values: unknown[] = []) =>
  Number((await databases.region.pool.query<{ n: bigint }>(text, values)).rows[0]?.n);
const objectsIn = (bucketId: bigint | undefined) =>
  count('SELECT count(*) AS n FROM region.objects WHERE bucket_id = $1', [bucketId]);

async function gateOf(bucketId: bigint | undefined): Promise<string | undefined> {
  const { rows } = await databases.region.pool.query<{ state: string }>(
    'SELECT state FROM region.bucket_gate WHERE bucket_id = $1',
    [bucketId],
  );
  return rows[0]?.state;
}

const passDays = (days: number) =>
  databases.control.pool.query(
    'UPDATE control.accounts SET closed_at = closed_at - make_interval(days => $1)',
    [days],
  );
const passMinutes = (minutes: number) =>
  databases.region.pool.query(
    'UPDATE region.bucket_gate SET closing_since = closing_since - make_interval(mins => $1)',
    [minutes],
  );

test('a closed account goes with its children, buckets, objects and tokens, but not before its time [account-rule-16]', async () => {
  const { accounts, buckets, tokens, closed } = setUp();
  const { account } = await accounts.create('closing@example.com', undefined, actor);
  const child = await accounts.children.create(account.uid, 'child@example.com', 'a child secret', actor);
  const { account: other } = await accounts.create('staying@example.com', undefined, actor);
  for (const [uid, name] of [
    [account.uid, 'closing'],
    [child.uid, 'closing-child'],
    [other.uid, 'staying'],
  ] as const) {
    await buckets.create(uid, name, 'z0');
    const bucket = await buckets.byName(name);
    await fill(bucket?.id, 1500);
  }
  await tokens.begin({ uid: account.uid }, randomBytes(32), randomBytes(32), 60, '192.0.2.1');
  await accounts.closing.close(account.uid, actor);
  expect((await accounts.byEmail('child@example.com')).is_disabled).toBe(true);
  expect(await closed.remove(never)).toBe(0);
  await passDays(31);
  expect(await closed.remove(never)).toBe(2);
  for (const email of ['closing@example.com', 'child@example.com']) {
    await expect(accounts.byEmail(email)).rejects.toMatchObject({ fault: 'recordNotFound' });
  }
  expect(await buckets.byName('closing')).toBeUndefined();
  expect(await count('SELECT count(*) AS n FROM region.objects')).toBe(1500);
  expect(await count('SELECT count(*) AS n FROM region.trash')).toBe(3000);
  expect(await count('SELECT count(*) AS n FROM region.bucket_gate')).toBe(1);
});

test('a closed account can be opened again within its time', async () => {
  const { accounts, closed } = setUp();
  const { account } = await accounts.create('back@example.com', undefined, actor);
  await accounts.closing.close(account.uid, actor);
  await accounts.setDisabled(account.uid, false, undefined, actor);
  await passDays(31);
  await closed.remove(never);
  expect((await accounts.byUid(account.uid)).is_disabled).toBe(false);
});

test('an account that is enabled at the moment of its removal keeps its keys', async () => {
  const { accounts, closed } = setUp();
  const { account, key } = await accounts.create('last-moment@example.com', undefined, actor);
  await accounts.closing.close(account.uid, actor);
  await passDays(31);
  const enabling = await databases.control.pool.connect();
  await enabling.query('BEGIN');
  await enabling.query('UPDATE control.accounts SET is_disabled = false, closed_at = NULL WHERE uid = $1', [
    account.uid,
  ]);
  const removing = closed.remove(never);
  await untilWaiting(databases.control, 1);
  await enabling.query('COMMIT');
  enabling.release();
  expect(await removing).toBe(0);
  expect((await accounts.keysOf(account.uid)).map((row) => row.access_key)).toEqual([key.accessKey]);
});

test('an account that is enabled while its bucket is emptied keeps what is left, and can write there', async () => {
  const store = new WatchedStore(databases.region);
  const { accounts, buckets, closed } = setUp(store);
  const { account } = await accounts.create('half-way@example.com', undefined, actor);
  await buckets.create(account.uid, 'half-way', 'z0');
  const bucket = await buckets.byName('half-way');
  await fill(bucket?.id, 1500);
  await accounts.closing.close(account.uid, actor);
  await passDays(31);
  store.afterBatch = () => accounts.setDisabled(account.uid, false, undefined, actor);
  expect(await closed.remove(never)).toBe(0);
  expect(await buckets.byName('half-way')).toBeDefined();
  expect(await objectsIn(bucket?.id)).toBe(500);
  expect(await gateOf(bucket?.id)).toBe('open');
  expect(await accounts.keysOf(account.uid)).toHaveLength(1);
});

test('an account that is enabled while another one is emptied keeps everything', async () => {
  const store = new WatchedStore(databases.region);
  const { accounts, buckets, closed } = setUp(store);
  const { account } = await accounts.create('second@example.com', undefined, actor);
  await buckets.create(account.uid, 'second', 'z0');
  const bucket = await buckets.byName('second');
  await fill(bucket?.id, 3);
  // The newest goes first.
  const { account: first } = await accounts.create('first@example.com', undefined, actor);
  await buckets.create(first.uid, 'first', 'z0');
  await accounts.closing.close(account.uid, actor);
  await accounts.closing.close(first.uid, actor);
  await passDays(31);
  store.afterBatch = () => accounts.setDisabled(account.uid, false, undefined, actor);
  expect(await closed.remove(never)).toBe(1);
  expect(await buckets.byName('first')).toBeUndefined();
  expect(await buckets.byName('second')).toBeDefined();
  expect(await objectsIn(bucket?.id)).toBe(3);
});

test('a closed account stays until each region has removed its buckets', async () => {
  const { accounts, buckets, closed } = setUp();
  const { account } = await accounts.create('two-regions@example.com', undefined, actor);
  await buckets.create(account.uid, 'here', 'z0');
  const there = `INSERT INTO control.buckets (name, uid, region) VALUES ('there', $1, 'na0')`;
  await databases.control.pool.query(there, [account.uid]);
  await accounts.closing.close(account.uid, actor);
  await passDays(31);
  expect(await closed.remove(never)).toBe(0);
  expect(await buckets.byName('here')).toBeUndefined();
  expect(await buckets.byName('there')).toBeDefined();
  expect(await accounts.keysOf(account.uid)).toHaveLength(1);
  // As its own region does it.
  await databases.control.pool.query(`DELETE FROM control.buckets WHERE name = 'there'`);
  expect(await closed.remove(never)).toBe(1);
  await expect(accounts.byUid(account.uid)).rejects.toMatchObject({ fault: 'recordNotFound' });
});

test('an emptying that takes hours is not taken for a drop whose process died', async () => {
  const store = new WatchedStore(databases.region);
  const { accounts, buckets, closed, drops } = setUp(store);
  const { account } = await accounts.create('hours@example.com', undefined, actor);
  await buckets.create(account.uid, 'hours', 'z0');
  const bucket = await buckets.byName('hours');
  await fill(bucket?.id, 3500);
  await accounts.closing.close(account.uid, actor);
  await passDays(31);
  const gates: (string | undefined)[] = [];
  store.afterBatch = async () => {
    await passMinutes(6);
    await drops.resume(never);
    gates.push(await gateOf(bucket?.id));
  };
  expect(await closed.remove(never)).toBe(1);
  expect(gates).toEqual(['closing', 'closing', 'closing', 'closing']);
});

test('an emptying that was taken for dead, its bucket opened again, removes nothing more', async () => {
  const store = new WatchedStore(databases.region);
  const { accounts, buckets, closed, drops } = setUp(store);
  const { account } = await accounts.create('asleep@example.com', undefined, actor);
  await buckets.create(account.uid, 'asleep', 'z0');
  const bucket = await buckets.byName('asleep');
  await fill(bucket?.id, 1500);
  await accounts.closing.close(account.uid, actor);
  await passDays(31);
  store.afterBatch = async () => {
    await passMinutes(11);
    await drops.resume(never);
  };
  expect(await closed.remove(never)).toBe(0);
  expect(await objectsIn(bucket?.id)).toBe(500);
  expect(await gateOf(bucket?.id)).toBe('open');
  store.afterBatch = async () => undefined;
  expect(await closed.remove(never)).toBe(1);
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
  const looks = vi.spyOn(BucketStore.prototype, 'runningWork');
  let isClosed = false;
  const closing = buckets.close(bucket).then(() => {
    isClosed = true;
  });
  // As often as it looks, the transaction is still there.
  await expect
    .poll(() => looks.mock.settledResults.filter(({ type }) => type === 'fulfilled').length)
    .toBeGreaterThan(3);
  expect(isClosed).toBe(false);
  await client.query('COMMIT');
  client.release();
  await closing;
  expect(isClosed).toBe(true);
  looks.mockRestore();
});
