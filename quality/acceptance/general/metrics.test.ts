/** What a server tells Prometheus: well formed by a strict reader, and true of what was asked of it. */
import {
  type Account,
  createDeployment,
  type Deployment,
  type ExposedMetric,
  parseExposition,
  type ServerProcess,
  signedFetch,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bucketJson } from '../support/objects/buckets.ts';
import { statTarget } from '../support/objects/objects.ts';
import { target } from '../support/target.ts';

const BUCKET = 'metered';
/** Figures are folded every second here; the machine may be slow. */
const SOON = { timeout: 300_000, interval: 200 };

let deployment: Deployment;
let server: ServerProcess;
let account: Account;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_USAGE_FOLD_EVERY: '1s', MILLPOND_CAPACITY: '1GiB' },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  server = await deployment.start();
});
afterAll(() => deployment?.destroy());

type ExposedMetrics = ReadonlyMap<string, ExposedMetric>;

async function told(): Promise<ExposedMetrics> {
  const answer = await fetch(`${server.adminUrl}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseExposition(await answer.text());
}

/** The sum of the samples that have these labels. */
function figure(
  metrics: ExposedMetrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const metric = metrics.get(name.replace(/_count$/, '')) ?? metrics.get(name);
  const samples = metric?.samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return samples?.reduce((sum, { value }) => sum + value, 0) ?? Number.NaN;
}

test('what was asked for is counted, and what is stored is told', async () => {
  for (const key of ['a', 'b']) {
    const token = uploadToken(account, { scope: `${BUCKET}:${key}` });
    expect((await uploadForm(server.url, 'x'.repeat(20_000), { token, key })).status).toBe(200);
  }
  const removing = statTarget(BUCKET, 'b').replace('/stat', '/delete');
  expect((await signedFetch(server.url, account, removing)).status).toBe(200);
  expect((await signedFetch(server.url, account, statTarget(BUCKET, 'a'))).status).toBe(200);
  expect(await (await fetch(`${server.url}/${BUCKET}/a`)).text()).toHaveLength(20_000);
  // Figures of the region are asked for by the first who wants to know, and then kept for some seconds.
  const usage = async () =>
    (
      await bucketJson<{ objects: number }>(
        `/v1/usage?bucket=${BUCKET}`,
        { method: 'GET' },
        { url: server.url, account },
      )
    ).objects;
  await expect.poll(usage, SOON).toBe(1);
  await expect.poll(async () => figure(await told(), 'millpond_stored_objects'), SOON).toBe(1);

  const metrics = await told();
  expect(figure(metrics, 'millpond_request_seconds_count', { route: '/stat/*', status: '200' })).toBe(1);
  expect(figure(metrics, 'millpond_engine_seconds_count', { operation: 'read', outcome: 'ok' })).toBe(1);
  const writes = ['put', 'write'].map((operation) =>
    figure(metrics, 'millpond_engine_seconds_count', { operation, outcome: 'ok' }),
  );
  expect(writes.reduce((sum, count) => sum + count)).toBe(2);
  for (const pool of ['control', 'region'])
    expect(figure(metrics, 'millpond_statement_seconds_count', { pool, outcome: 'ok' })).toBeGreaterThan(0);
  expect(figure(metrics, 'millpond_db_connections', { pool: 'region' })).toBeGreaterThan(0);
  expect(figure(metrics, 'millpond_stored_objects', { class: 'standard' })).toBe(1);
  expect(figure(metrics, 'millpond_stored_bytes', { class: 'standard' })).toBe(20_000);
  const classes = metrics.get('millpond_stored_bytes')?.samples.map(({ labels }) => labels.class);
  expect(classes).toEqual(['standard', 'infrequent', 'archive', 'deep-archive']);
  expect(figure(metrics, 'millpond_trash_rows')).toBe(1);
  expect(figure(metrics, 'millpond_trash_bytes')).toBe(20_000);
  const behind = async () => (await told()).get('millpond_sweep_behind_seconds')?.samples.length;
  await expect.poll(behind, SOON).toBe(1);
  if (target.store === 's3') {
    // What is deleted is in the engine until its grace period ends.
    await expect.poll(async () => figure(await told(), 'millpond_engine_used_bytes'), SOON).toBe(40_000);
    expect(figure(await told(), 'millpond_engine_capacity_bytes')).toBe(2 ** 30);
  }
  const queues = metrics.get('millpond_queue_oldest_seconds')?.samples.map(({ labels }) => labels.queue);
  expect(queues?.length).toBeGreaterThan(3);
  for (const queue of queues ?? [])
    expect(figure(metrics, 'millpond_queue_jobs', { queue: String(queue), state: 'failed' })).toBe(0);
  expect(figure(metrics, 'millpond_deliveries_queued')).toBe(0);
  expect(figure(metrics, 'millpond_deliveries_suspended_endpoints')).toBe(0);
});

test('every one of ours has a help, and ends in _total just where it is a counter', async () => {
  const own = [...(await told()).values()].filter(({ name }) => name.startsWith('millpond_'));
  expect(own.length).toBeGreaterThan(30);
  expect(own.filter(({ help }) => help.length < 5)).toEqual([]);
  expect(own.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  expect(own.filter(({ type }) => type === 'histogram').map(({ name }) => name)).toContain(
    'millpond_delivery_seconds',
  );
});

test('counters only grow, and who looks again is told the same of the region', async () => {
  const before = await told();
  expect((await signedFetch(server.url, account, statTarget(BUCKET, 'none'))).status).toBe(612);
  const after = await told();
  for (const [name, { type, samples }] of before) {
    if (type !== 'counter' || !name.startsWith('millpond_')) continue;
    for (const { labels, value } of samples)
      expect(figure(after, name, labels)).toBeGreaterThanOrEqual(value);
  }
  expect(figure(after, 'millpond_request_seconds_count', { status: '612' })).toBe(1);
  const stored = (metrics: ExposedMetrics) => figure(metrics, 'millpond_stored_objects');
  expect(stored(after)).toBe(stored(before));
});

test('what was told is kept over time: a server that has ended leaves the same figures', async () => {
  await signedFetch(server.url, account, statTarget(BUCKET, 'none'));
  const last = await told();
  await server.kill('SIGTERM');
  const names = ['requests.calls', 'requests.uploads', 'requests.downloads', 'errors.6xx', 'traffic.out'];
  const lines = (await deployment.run('figures', '--step', '60', '--json', ...names)).trim().split('\n');
  const minutes = lines.map((line) => JSON.parse(line) as Record<string, number | null>);
  const kept = (name: string, seconds: number) =>
    Math.round(minutes.reduce((sum, minute) => sum + (minute[name] ?? 0), 0) * seconds);
  for (const kind of ['calls', 'uploads', 'downloads'])
    expect(kept(`requests.${kind}`, 60), kind).toBe(figure(last, 'millpond_request_seconds_count', { kind }));
  expect(kept('errors.6xx', 1)).toBe(figure(last, 'millpond_request_seconds_count', { status: '612' }));
  expect(figure(last, 'millpond_traffic_bytes_total', { direction: 'in' })).toBeGreaterThan(200);
  // The answers to connections that were still open are counted too when they close.
  expect(kept('traffic.out', 60)).toBeGreaterThanOrEqual(
    figure(last, 'millpond_traffic_bytes_total', { direction: 'out' }) - 60,
  );
});
