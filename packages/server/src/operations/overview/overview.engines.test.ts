/** Failures of several tables as one list, and the overview, on a real database. */
import { randomUUID } from 'node:crypto';
import { testRandom } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import type { ProcessRow } from '../figures/index.ts';
import { FailureStore } from './failure.store.ts';
import { Failures } from './overview.failures.ts';
import { OverviewStore } from './overview.store.ts';
import { processHealth } from './process-health.ts';

const [OWN, OTHER] = [1_380_000_101n, 1_380_000_102n];
const databases = useDatabases();
const run = (text: string, values: unknown[] = []) => databases.region.pool.query(text, values);

let failures: Failures;
const expected: { at: number; id: string; uid: bigint }[] = [];

async function addTask(uid: bigint, at: Date, items: object[], key = 'film.mp4', code = 3): Promise<string> {
  const id = `z0.${randomUUID()}`;
  await run(
    `INSERT INTO region.tasks (task_id, id_time, uid, bucket_id, input_bucket, input_key, blob_id, segment_count, fsize, hash,
       mime_type, code, items, is_idle, is_admitted, is_forced, reqid, finished_at)
     VALUES ($1, now(), $2, 1, 'media', $3, gen_random_uuid(), 0, 1, 'h', 'video/mp4', $6, $4, false, true, false, 'r', $5)`,
    [id, uid, key, JSON.stringify(items), code === 3 ? at : null, code],
  );
  return id;
}

async function addDelivery(
  uid: bigint,
  at: Date,
  kind = 'callback',
  error: string | null = null,
): Promise<string> {
  const id = randomUUID();
  await run(
    `INSERT INTO region.deliveries (delivery_id, kind, uid, urls, content_type, body, state, subject, reqid, failed_at)
     VALUES ($1, $2, $3, '{http://receiver/}', 'text/plain', '', 'failed', 'photos:<b>cat</b>.jpg', 'r', $4)`,
    [id, kind, uid, at],
  );
  await run(
    `INSERT INTO region.delivery_attempts (delivery_id, attempt, begun_at, url, status, duration_ms, error)
     VALUES ($1, 1, $2, 'http://receiver/', $3, 5, $4)`,
    [id, new Date(at.getTime() - 1000), error === null ? 500 : null, error],
  );
  return id;
}

async function addFetch(uid: bigint, at: Date): Promise<string> {
  const id = randomUUID();
  await run(
    `INSERT INTO region.fetches (fetch_id, uid, bucket_id, request, state, error, failed_at)
     VALUES ($1, $2, 1, '{"bucket": "photos", "key": "a", "reqid": "req1"}', 'failed', 'the origin answered 404', $3)`,
    [id, uid, at],
  );
  return id;
}

beforeAll(async () => {
  failures = new Failures(new FailureStore(databases.region));
  const random = testRandom();
  for (let n = 0; n < 60; n++) {
    // Often at the same moment.
    const at = new Date(Date.now() - 60_000 * random.integer(1, 20));
    const uid = random.pick([OWN, OWN, OTHER]);
    const add = random.pick([
      () =>
        addTask(uid, at, [
          { cmd: 'avinfo', code: 0 },
          { cmd: 'avthumb/mp4', code: 3, error: 'no video <stream>' },
        ]),
      () => addDelivery(uid, at),
      () => addFetch(uid, at),
    ]);
    expected.push({ at: at.getTime(), id: await add(), uid });
  }
});

async function pages(scope: bigint | undefined, limit: number) {
  const seen: { at: string; id: string; what: string }[] = [];
  for (let marker: string | undefined; ; ) {
    const page = await failures.page(scope, marker, limit);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    seen.push(...page.items);
    if (page.marker === undefined) return seen;
    marker = page.marker;
  }
}

test.each([1, 7, 200])(
  'pages of %i hold each failure once, newest first; an account its own',
  async (limit) => {
    for (const scope of [OWN, OTHER, undefined]) {
      const seen = await pages(scope, limit);
      const mine = expected.filter(({ uid }) => scope === undefined || uid === scope);
      expect(seen.map(({ id }) => id).toSorted()).toEqual(mine.map(({ id }) => id).toSorted());
      const times = seen.map(({ at }) => Date.parse(at));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    }
  },
);

test('each says what it was, whose words, and the cause', async () => {
  const uid = 1_380_000_103n;
  const at = new Date(Date.now() - 1000);
  const task = await addTask(
    uid,
    at,
    [
      { cmd: 'a', code: 0 },
      { cmd: 'b', code: 3, error: 'no <stream>' },
    ],
    'x:<i>.mp4',
  );
  const delivery = await addDelivery(uid, new Date(at.getTime() - 1000), 'object', 'connect ECONNREFUSED');
  const fetch = await addFetch(uid, new Date(at.getTime() - 2000));
  const { items } = await failures.page(uid, undefined, 10);
  expect(items).toMatchObject([
    {
      what: 'task',
      id: task,
      entry: 'media:x:<i>.mp4',
      words: 'no <stream>',
      act: 'rerun',
      cause: { kind: 'task', id: task, item: 1 },
    },
    {
      what: 'event',
      id: delivery,
      entry: 'photos:<b>cat</b>.jpg',
      words: 'connect ECONNREFUSED',
      act: 'resend',
      cause: { kind: 'delivery', id: delivery },
    },
    {
      what: 'fetch',
      id: fetch,
      entry: 'photos:a',
      words: 'the origin answered 404',
      act: 'again',
      cause: { kind: 'request', id: 'req1' },
    },
  ]);
});

test('what is older than 30 days, or is not one of our markers', async () => {
  const uid = 1_380_000_104n;
  await addFetch(uid, new Date(Date.now() - 31 * 86_400_000));
  expect(await failures.page(uid, undefined, 10)).toEqual({ items: [] });
  for (const marker of ['x', '1-', `1-${'a'.repeat(300)}`, "1-'", '99999999999999999-a'])
    await expect(failures.page(uid, marker, 10)).rejects.toMatchObject({ fault: 'invalidArgument' });
});

test('jobs that were given up are for operators', async () => {
  await run(`INSERT INTO queue.jobs (id, queue, account, data, state, tag, reason, failed_at)
             VALUES (gen_random_uuid(), 'process', '1', '{"taskId": "z0.x"}', 'failed', 1, 'worker died', now())`);
  const [newest] = (await failures.page(undefined, undefined, 1)).items;
  expect(newest).toMatchObject({
    what: 'job',
    entry: 'process',
    words: 'worker died',
    cause: { kind: 'task', id: 'z0.x' },
    act: null,
  });
});

test('an account’s overview counts its own', async () => {
  const uid = 1_380_000_105n;
  await addTask(uid, new Date(), []);
  await addDelivery(uid, new Date());
  await run(
    `INSERT INTO region.delivery_endpoints (uid, is_configured, name, state, suspended_at, reason)
     VALUES ($1, false, 'https://gone', 'suspended', now(), 'five days of failures')`,
    [uid],
  );
  const store = new OverviewStore(databases.control, databases.region);
  expect(await store.failedTasks(uid)).toBe(1);
  expect(await store.deliveries(uid)).toEqual({ waiting: 0, failed: 1, oldest: null });
  expect(await store.endpointsAway(uid)).toMatchObject([
    { name: 'https://gone', words: 'five days of failures', waiting: 0 },
  ]);
  expect(await store.endpointsAway(OTHER)).toEqual([]);
  expect(await store.live(uid)).toEqual({ streams: 0, devices: 0 });
  expect((await store.endpointsAway(undefined)).length).toBeGreaterThan(0);
  expect(await store.failedTasks(undefined)).toBeGreaterThan(1);
});

const process = (changes: Partial<ProcessRow>): ProcessRow => ({
  process: 'p',
  host: 'a',
  pid: 1,
  roles: ['serve', 'work', 'deliveries'],
  facts: {},
  started_at: new Date(0),
  seen_at: new Date(0),
  silent_seconds: 10,
  ...changes,
});
const statesOf = (processes: ProcessRow[], sip?: string) =>
  processHealth(processes, sip).map(({ engine, state }) => `${engine} ${state}`);

test('processes are judged by what they said last', () => {
  expect(statesOf([process({})])).toEqual(['gateway ok', 'worker ok', 'sender ok', 'sip off']);
  expect(statesOf([process({ roles: ['serve'] })])).toEqual([
    'gateway ok',
    'worker bad',
    'sender bad',
    'sip off',
  ]);
  expect(statesOf([process({ silent_seconds: 600, roles: ['serve'] }), process({})])).toEqual([
    'gateway bad',
    'gateway ok',
    'worker ok',
    'sender ok',
    'sip off',
  ]);
  const sandbox = [{ problem: 'no bwrap', remedy: 'apt-get install bubblewrap' }];
  expect(processHealth([process({ roles: ['work'], facts: { sandbox } })], undefined)).toContainEqual(
    expect.objectContaining({ engine: 'worker', state: 'warn', do: 'apt-get install bubblewrap' }),
  );
  expect(statesOf([process({})], '0.0.0.0:5060').at(-1)).toBe('sip bad');
  expect(statesOf([process({ facts: { sip: true } })], '0.0.0.0:5060').at(-1)).toBe('sip ok');
});
