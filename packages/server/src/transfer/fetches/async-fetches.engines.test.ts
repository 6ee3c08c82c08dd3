import { randomBytes } from 'node:crypto';
import { openLog } from '@millpond/base';
import { createOutboundClient, type OutboundClient } from '@millpond/outbound';
import { type Receiver, reply, startReceiver } from '@millpond/outbound/testing';
import { dialects, Fault } from '@millpond/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useBlobs } from '../../../test/blobs.ts';
import { useDatabases } from '../../../test/databases.ts';
import { Callbacks, DeliveryStore } from '../../events/deliveries/deliveries.testing.ts';
import {
  AccountStore,
  Keyring,
  KeyStore,
  Keys,
  noChildren,
  Tenants,
  WebhookSecretStore,
  WebhookSecrets,
} from '../../identity/accounts/accounts.testing.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Job, LeaseLostError, LONG_RETRIES } from '../../platform/queue/queue.ts';
import { Sealer } from '../../platform/secrets/sealer.ts';
import { withoutSmallBlobs } from '../../platform/small-blobs/small-blobs.testing.ts';
import { type Buckets, bucketsOf } from '../../storage/buckets/buckets.testing.ts';
import { ObjectStore, Objects } from '../../storage/objects/objects.testing.ts';
import { AsyncCallbacks } from './async-callbacks.ts';
import { AsyncStore } from './async-fetches.store.ts';
import { AsyncFetches, FETCH_SLOTS } from './async-fetches.ts';

const databases = useDatabases();
const blobs = useBlobs('disk');
const never = new AbortController().signal;
const times = { freshMs: 0, staleMs: 0 };

let origin: Receiver;
let outbound: OutboundClient;
let uid: bigint;
let stranger: bigint;
let buckets: Buckets;
let objects: Objects;
let fetches: AsyncFetches;
let isControlAway = false;
/** Jobs that were asked for: which fetch, after how long. */
const asked: [string, number][] = [];

beforeAll(async () => {
  const { control, region } = databases;
  origin = await startReceiver((socket, head) => {
    if (head.startsWith('GET /hang')) return;
    if (head.startsWith('POST /callback')) return reply(200, '{}')(socket, head);
    const status = Number(/^GET \/(\d+)/.exec(head)?.[1] ?? 200);
    reply(status, head.startsWith('GET /large') ? 'x'.repeat(2000) : 'content')(socket, head);
  });
  outbound = createOutboundClient({ allow: ['127.0.0.1/32'] });
  uid = await newAccount('fetching@example.com');
  stranger = await newAccount('stranger@example.com');
  buckets = bucketsOf(control, region, { region: 'z0', maxBuckets: 10, ...times });
  await buckets.create(uid, 'fetched', 'z0');
  await buckets.create(stranger, 'strangers', 'z0');
  objects = new Objects(new ObjectStore(region), buckets, {
    commitWindowMs: 3_600_000,
    dialect: dialects.svc,
  });
  const sealer = new Sealer([{ id: 'k', key: randomBytes(32) }]);
  const there = whileThere(control);
  await control.transaction((transaction) =>
    new Keys(new KeyStore(control), sealer).create(uid, { kind: 'root' }, transaction),
  );
  const secrets = new WebhookSecrets(new WebhookSecretStore(there), sealer, times);
  const deliveries = new DeliveryStore(region);
  const shared = {
    store: deliveries,
    outbound,
    secrets,
    tenants: noChildren,
    dialect: dialects.svc,
    log: openLog('silent'),
  };
  fetches = new AsyncFetches({
    outbound,
    blobs: withoutSmallBlobs(blobs.store),
    maxBytes: 1024,
    buckets,
    objects,
    tenants: new Tenants(new AccountStore(control)),
    store: new AsyncStore(region),
    callbacks: new AsyncCallbacks({
      callbacks: new Callbacks(shared),
      deliveries,
      keyring: new Keyring(new KeyStore(there), sealer, times),
      isOwnPath: () => false,
    }),
    requestFetch: async (_transaction, { fetch_id }, afterSeconds) => asked.push([fetch_id, afterSeconds]),
    timeFactor: 1,
    timeoutMs: 10_000,
    onCommit: async () => undefined,
  });
});
afterAll(async () => {
  await outbound.close();
  await origin.close();
});

/** The control database, as long as it is not away. */
function whileThere(control: Database): Database {
  return new Proxy(control, {
    get(real, name) {
      if (isControlAway) throw new Fault('serverFailure');
      const value: unknown = Reflect.get(real, name, real);
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}

async function newAccount(email: string): Promise<bigint> {
  const { rows } = await databases.control.pool.query<{ uid: string }>(
    'INSERT INTO control.accounts (email) VALUES ($1) RETURNING uid',
    [email],
  );
  return BigInt(rows[0]?.uid ?? 0);
}

/** A job of the queue, as its worker hands it out; `commit` says whether the lease is still held. */
function jobOf(
  fetchId: string,
  commit: Job['commit'] = async () => undefined,
  attempt = 1,
  signal = never,
): Job {
  return { id: 'job', data: { fetchId }, attempt, signal, commit };
}

async function take(path: string, key: string, more: object = {}, owner = uid): Promise<string> {
  const request = {
    urls: [`${origin.url}/${path}`],
    bucket: 'fetched',
    key,
    storageClass: 0,
    ignoreSameKey: false,
    ...more,
  };
  return (await fetches.create({ uid: owner }, request, 'reqid')).id;
}

async function find(key: string) {
  const bucket = await buckets.owned(uid, 'fetched');
  return objects.find(bucket, key);
}

/** Names of all bytes that are there. */
async function stored(): Promise<string[]> {
  const ids: string[] = [];
  for (const hour of await blobs.store.listHours())
    for await (const page of blobs.store.list(hour)) ids.push(...page.map(({ id }) => id));
  return ids;
}

/** A key without limits. */
const anything = () => undefined;
const status = (id: string) => fetches.status(uid, id, anything, never);

describe('a job', () => {
  test('that fails through our own fault is repeated; the last time ends the fetch', async () => {
    const id = await take('200', 'own fault');
    let commits = 0;
    const failsOnce: Job['commit'] = async () => {
      commits++;
      if (commits % 2 === 1) throw new Error('the database is away');
    };
    await expect(fetches.run(jobOf(id, failsOnce, LONG_RETRIES.retryLimit))).rejects.toThrow('away');
    expect(await status(id)).toMatchObject({ state: 'waiting' });
    commits = 0;
    await fetches.run(jobOf(id, failsOnce, LONG_RETRIES.retryLimit + 1));
    expect(await status(id)).toMatchObject({
      state: 'failed',
      error: 'given up: the server failed at every attempt',
    });
  });

  test('that runs again after its end does nothing', async () => {
    const id = await take('200', 'again');
    await fetches.run(jobOf(id));
    const [before, requests] = [await find('again'), origin.requests.length];
    await fetches.run(jobOf(id));
    expect(origin.requests.length).toBe(requests);
    expect(await find('again')).toEqual(before);
  });

  test('that has passed to another attempt changes nothing', async () => {
    const id = await take('200', 'lost');
    const lost = jobOf(id, () => Promise.reject(new LeaseLostError()));
    await expect(fetches.run(lost)).rejects.toThrow();
    expect(await find('lost')).toBeUndefined();
    expect(await status(id)).toEqual({ id, wait: 0, state: 'waiting' });
    await fetches.run(jobOf(id));
    expect(await status(id)).toMatchObject({ wait: -1, state: 'done' });
  });

  test('that runs in two places at once ends once', async () => {
    const id = await take('200', 'twice');
    const ends = await Promise.allSettled([fetches.run(jobOf(id)), fetches.run(jobOf(id))]);
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    expect(await status(id)).toMatchObject({ wait: -1, state: 'done' });
    const { rows } = await databases.region.pool.query<{ attempts: number }>(
      'SELECT attempts FROM region.fetches WHERE fetch_id = $1',
      [id],
    );
    expect(rows).toEqual([{ attempts: 1 }]);
  });

  test('whose origin fails is put off, longer each time, and at last given up', async () => {
    const id = await take('503', 'failing');
    for (let attempt = 0; attempt < 6; attempt++) await fetches.run(jobOf(id));
    const waits = asked.filter(([fetchId]) => fetchId === id).map(([, seconds]) => seconds);
    expect(waits).toEqual([0, 5, 30, 120, 600, 1800]);
    expect(await status(id)).toEqual({ id, wait: -1, state: 'failed', error: 'the origin answered 503' });
    const requests = origin.requests.length;
    await fetches.run(jobOf(id));
    expect(origin.requests.length).toBe(requests);
  });

  test.each([
    ['is too large', () => `${origin.url}/large`, 'the body of the answer is too large'],
    ['has a denied address', () => 'http://127.0.0.2/', 'the address of this host is not allowed'],
    ['is not there', () => `${origin.url}/404`, 'the origin has no such file'],
  ])('whose file %s is given up at once', async (what, url, error) => {
    const id = await take('', what, { urls: [url()] });
    await fetches.run(jobOf(id));
    expect(await status(id)).toEqual({ id, wait: -1, state: 'failed', error });
    expect(asked.filter(([fetchId]) => fetchId === id)).toEqual([[id, 0]]);
  });

  test('whose bucket has gone has failed, and asks nobody', async () => {
    await buckets.create(uid, 'dropped', 'z0');
    const id = await take('200', 'k', { bucket: 'dropped' });
    const bucket = await buckets.owned(uid, 'dropped');
    await buckets.close(bucket);
    await buckets.remove(bucket);
    const requests = origin.requests.length;
    await fetches.run(jobOf(id));
    expect(await status(id)).toMatchObject({ state: 'failed' });
    expect(origin.requests.length).toBe(requests);
  });

  test('whose name is taken meanwhile leaves that object alone where it was asked to', async () => {
    const first = await take('200', 'taken');
    const second = await take('200', 'taken', { ignoreSameKey: true });
    await fetches.run(jobOf(first));
    const before = await find('taken');
    await fetches.run(jobOf(second));
    expect(await status(second)).toEqual({ id: second, wait: -1, state: 'done' });
    expect(await find('taken')).toEqual(before);
  });
});

describe('a callback', () => {
  const callback = () => ({
    callbackUrl: `${origin.url}/callback`,
    callbackBody: 'key=$(key)',
    callbackBodyType: 'application/x-www-form-urlencoded',
  });
  afterEach(() => {
    isControlAway = false;
  });
  const states = async (key: string) => {
    const { rows } = await databases.region.pool.query<{ state: string }>(
      'SELECT state FROM region.deliveries WHERE subject = $1',
      [`fetched:${key}`],
    );
    return rows.map(({ state }) => state);
  };

  test('is sent though the control database went away as the object was committed', async () => {
    const id = await take('200', 'called', { callback: callback() });
    const commit = async () => {
      isControlAway = true;
    };
    await fetches.run(jobOf(id, commit));
    isControlAway = false;
    expect(await status(id)).toMatchObject({ state: 'done' });
    expect(await states('called')).toEqual(['delivered']);
    expect(origin.requests.filter((head) => head.startsWith('POST /callback'))).toHaveLength(1);
  });

  test('of a file that came while the control database was away is not made, and the job is repeated', async () => {
    const id = await take('200', 'not yet', { callback: callback() });
    const before = await stored();
    isControlAway = true;
    await expect(fetches.run(jobOf(id))).rejects.toMatchObject({ status: 599 });
    isControlAway = false;
    expect(await stored()).toEqual(before);
    expect([await status(id), await states('not yet')]).toMatchObject([{ state: 'waiting' }, []]);
    await fetches.run(jobOf(id));
    expect([await status(id), await states('not yet')]).toMatchObject([{ state: 'done' }, ['delivered']]);
  });
});

describe('many jobs of one account', () => {
  const many = (path: string) =>
    Promise.all(Array.from({ length: FETCH_SLOTS }, (_, number) => take(path, `${path} ${number}`)));
  const putOff = (ids: readonly string[]) =>
    asked.filter(([id, seconds]) => ids.includes(id) && seconds > 0).map(([id]) => id);

  test('whose origins do not answer leave slots to others, and those beyond are put off as if untried', async () => {
    const ids = await many('hang');
    const stopping = new AbortController();
    let committed = 0;
    const commit = async () => {
      committed++;
    };
    const runs = ids.map((id) => fetches.run(jobOf(id, commit, 1, stopping.signal)).catch(String));
    const other = await take('200', 'k', { bucket: 'strangers' }, stranger);
    await fetches.run(jobOf(other));
    expect(await fetches.status(stranger, other, anything, never)).toMatchObject({ state: 'done' });
    const half = FETCH_SLOTS / 2;
    await expect.poll(() => committed).toBe(half);
    expect(putOff(ids)).toHaveLength(half);
    for (const id of putOff(ids)) expect(await status(id)).toEqual({ id, wait: 0, state: 'waiting' });
    expect(origin.requests.filter((head) => head.startsWith('GET /hang'))).toHaveLength(half);
    stopping.abort(new Error('stopping'));
    await Promise.all(runs);
  });

  test('that are soon done are all done, and none is put off', async () => {
    const ids = await many('200');
    await Promise.all(ids.map((id) => fetches.run(jobOf(id))));
    for (const id of ids) expect(await status(id)).toMatchObject({ state: 'done' });
    expect(putOff(ids)).toEqual([]);
  });
});

test('old fetches are forgotten, whatever became of them; younger ones are not', async () => {
  const [old, young] = [await take('200', 'old'), await take('200', 'young')];
  await databases.region.pool.query(
    `UPDATE region.fetches SET created_at = now() - interval '10 days 1 second' WHERE fetch_id = $1`,
    [old],
  );
  expect(await fetches.forget(never)).toBe(1);
  await expect(status(old)).rejects.toMatchObject({ fault: 'noSuchEntry' });
  expect(await status(young)).toMatchObject({ state: 'waiting' });
});
