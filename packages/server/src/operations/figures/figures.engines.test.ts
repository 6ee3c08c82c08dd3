/** Figures over time hold what /metrics of the same processes says, through folds, repeats and processes that end. */
import { counter, gauge, Metrics, openLog } from '@millpond/base';
import { parseExposition } from '@millpond/testing';
import { beforeEach, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import { RequestTimes, type Route } from '../../platform/web/index.ts';
import { MetricsHistory, percentile } from './figures.service.ts';
import { FiguresStore } from './figures.store.ts';
import { FiguresWriter } from './writer.ts';

const databases = useDatabases();
const run = (text: string) => databases.region.pool.query(text);
const log = openLog('silent');
const route = (role: string): Route => ({
  role,
  methods: ['GET'],
  path: '/x',
  handle: () => undefined as never,
});
const ROUTES = { downloads: route('io'), uploads: route('up'), calls: route('rs'), s3: route('s3') };

let store: FiguresStore;
let figures: MetricsHistory;
beforeEach(async () => {
  await run('TRUNCATE region.figures_minutes, region.figures_processes');
  store = new FiguresStore(databases.region);
  figures = new MetricsHistory(store);
});

interface Process {
  readonly times: RequestTimes;
  readonly metrics: Metrics;
  readonly writer: FiguresWriter;
  readonly state: { out: number; depth: number };
}

function newProcess(
  roles = ['serve', 'work'],
  writing: Pick<FiguresStore, 'write' | 'leave'> = store,
): Process {
  const [times, metrics, state] = [new RequestTimes(), new Metrics(), { out: 0, depth: 0 }];
  metrics.add(
    times.metric,
    counter({ name: 'millpond_traffic_bytes_total', help: 'bytes', labels: ['direction'] }, () => [
      { labels: { direction: 'out' }, value: state.out },
    ]),
    gauge({ name: 'millpond_queue_jobs', help: 'jobs', labels: ['queue', 'state'] }, () => [
      { labels: { queue: 'process', state: 'waiting' }, value: state.depth },
    ]),
  );
  return {
    times,
    metrics,
    state,
    writer: new FiguresWriter({ metrics, store: writing, log, roles, facts: () => ({}) }),
  };
}

/** Everything that is kept, as counts of the whole time. */
async function kept(names?: string[]) {
  const now = await store.now();
  const asked = { from: now - 2 * 86_400, to: now, step: 86_400 * 4, names };
  const { series } = await figures.read(asked);
  const [row] = await store.series(asked.from - 86_400 * 4, now + 60, 86_400 * 30, undefined);
  return { series, counts: row?.counts ?? {}, gauges: row?.gauges ?? {}, covered: row?.covered };
}

async function scraped(metrics: Metrics) {
  const told = parseExposition(await metrics.text()).get('millpond_request_seconds')?.samples ?? [];
  const sum = (name: string, labels: Readonly<Record<string, string>>) =>
    told
      .filter(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
      .reduce((total, { value }) => total + value, 0);
  return { count: (labels: Record<string, string>) => sum('millpond_request_seconds_count', labels), sum };
}

test('what two processes wrote in several rows is what their /metrics say, before and after every fold', async () => {
  const two = [newProcess(), newProcess(['serve'])];
  for (let minute = 0; minute < 3; minute++) {
    for (const [at, { times, state, writer }] of two.entries()) {
      for (let n = 0; n < 40; n++) {
        times.observe(ROUTES.downloads, '/x', 200, 0.0004 * n * (at + 1));
        times.observe(ROUTES.calls, '/x', n % 10 === 0 ? 599 : 612, 0.02 * n);
      }
      times.observe(ROUTES.uploads, '/x', 401, 100);
      times.observe(undefined, 'none', 404, 0.001);
      state.out += 1000;
      state.depth = [3, 7, 5][minute] ?? 0;
      await writer.write();
    }
    // As if they had been written a minute apart.
    await run(`UPDATE region.figures_minutes SET at = at - interval '1 minute'`);
  }
  const told = await Promise.all(two.map(({ metrics }) => scraped(metrics)));
  const both = (labels: Record<string, string>) => told.reduce((sum, { count }) => sum + count(labels), 0);
  const expected = {
    'requests.downloads': both({ kind: 'downloads' }),
    'requests.calls': both({ kind: 'calls' }),
    'requests.uploads': both({ kind: 'uploads' }),
    'errors.4xx': both({ status: '401' }) + both({ status: '404' }),
    'errors.5xx': both({ status: '599' }),
    'errors.599': both({ status: '599' }),
    'errors.6xx': both({ status: '612' }),
    'traffic.out': 6000,
    'latency.0.01': told.reduce(
      (sum, each) => sum + each.sum('millpond_request_seconds_bucket', { le: '0.01' }),
      0,
    ),
    'latency.+Inf': both({}),
  };
  expect(expected['requests.downloads']).toBe(240);
  const check = async () => {
    const { counts, gauges, covered, series } = await kept();
    expect(counts).toMatchObject(expected);
    expect(gauges).toEqual({ 'queue.process.depth': 7 });
    expect(covered).toBe(180);
    const bounds = [...new Set(Object.keys(counts).filter((key) => key.startsWith('latency.')))];
    const buckets = bounds
      .map((key) => ({ le: key.endsWith('Inf') ? Infinity : Number(key.slice(8)), count: counts[key] ?? 0 }))
      .toSorted((a, b) => a.le - b.le);
    const p50 = series['latency.p50']?.find((value) => value !== null);
    expect(p50).toBeCloseTo((percentile(buckets, 0.5) ?? 0) * 1000);
    expect(series['requests.downloads']?.find((value) => value !== null)).toBeCloseTo(240 / 180);
    expect(series['errors.599']?.find((value) => value !== null)).toBeCloseTo((24 * 60) / 180);
  };
  await check();
  await store.foldProcesses(-3600);
  expect((await run('SELECT FROM region.figures_minutes')).rowCount).toBe(3);
  await check();
  await store.foldTime(60, 600, -3600);
  await store.foldTime(600, 3600, -3600);
  await check();
  await store.foldTime(600, 3600, -3600);
  await check();
});

test('a row of which nobody knows whether it arrived counts once, and what came meanwhile with the next', async () => {
  let breaks = 0;
  const breaking = {
    async write(...row: Parameters<FiguresStore['write']>) {
      const rest = await store.write(...row);
      if (breaks-- > 0) throw new Error('the connection broke after the commit');
      return rest;
    },
    leave: (id: string) => store.leave(id),
  };
  const { times, writer } = newProcess(['serve'], breaking);
  times.observe(ROUTES.s3, '/x', 200, 0.1);
  breaks = 2;
  await expect(writer.write()).rejects.toThrow('broke');
  times.observe(ROUTES.s3, '/x', 200, 0.1);
  await expect(writer.write()).rejects.toThrow('broke');
  await writer.write();
  expect((await kept()).counts['requests.s3']).toBe(2);
});

test('two folds at once count nothing twice, and rows that come late are added', async () => {
  const { times, writer } = newProcess();
  for (let n = 0; n < 5; n++) {
    times.observe(ROUTES.calls, '/x', 200, 0.1);
    await writer.write();
    await run(`UPDATE region.figures_minutes SET at = at - interval '1 minute'`);
    await Promise.all([store.foldProcesses(-3600), store.foldProcesses(-3600), store.foldProcesses(-3600)]);
  }
  expect((await kept()).counts['requests.calls']).toBe(5);
});

test('a process that ends writes what is left, and is on the list no more', async () => {
  const { times, writer } = newProcess();
  await writer.write();
  expect((await run('SELECT roles FROM region.figures_processes')).rows).toEqual([
    { roles: ['serve', 'work'] },
  ]);
  times.observe(ROUTES.calls, '/x', 200, 0.1);
  await writer.stop();
  expect((await kept()).counts['requests.calls']).toBe(1);
  expect((await run('SELECT FROM region.figures_processes')).rowCount).toBe(0);
});

test('steps without figures are null, rates go by the minutes that have any, and old times have longer steps', async () => {
  const now = await store.now();
  const hour = Math.floor(now / 3600) * 3600;
  await run(`INSERT INTO region.figures_minutes VALUES
    (60, to_timestamp(${hour - 7200}), gen_random_uuid(), 60, '{"requests.calls": 120}', '{"restores": 0}'),
    (600, to_timestamp(${hour - 3 * 86_400}), '00000000-0000-0000-0000-000000000000', 300, '{"requests.calls": 300}', '{}')`);
  const names = ['requests.calls', 'restores', 'latency.p99'];
  const two = await figures.read({ from: hour - 7200, to: hour - 7200 + 180, step: 60, names });
  expect(two).toEqual({
    from: hour - 7200,
    to: hour - 7020,
    step: 60,
    series: {
      'requests.calls': [2, null, null],
      restores: [0, null, null],
      'latency.p99': [null, null, null],
    },
  });
  const old = await figures.read({ from: hour - 3 * 86_400, to: hour - 3 * 86_400 + 600, step: 60, names });
  expect(old).toMatchObject({ step: 600, series: { 'requests.calls': [1], restores: [null] } });
  expect((await figures.read({ from: now - 40 * 86_400, to: now, step: undefined, names })).step).toBe(7200);
  await expect(
    figures.read({ from: now - 86_400, to: now, step: 1, names: ['nonsense'] }),
  ).rejects.toMatchObject({ fault: 'invalidArgument' });
  await expect(figures.read({ from: now + 100, to: now + 200, step: 60, names })).rejects.toMatchObject({
    fault: 'invalidArgument',
  });
  await expect(figures.read({ from: now - 7 * 86_400, to: now, step: 60, names })).resolves.toMatchObject({
    step: 600,
  });
});

test('after 30 days, and a process after a day of silence, nothing is left', async () => {
  await run(`INSERT INTO region.figures_minutes
    SELECT 60, date_bin('1 minute', now() - age, 'epoch'), gen_random_uuid(), 60, '{"requests.calls": 1}', '{}'
    FROM unnest('{5 minutes, 3 days, 20 days, 31 days}'::interval[]) AS age`);
  await run(
    `INSERT INTO region.figures_processes VALUES (gen_random_uuid(), 'h', 1, '{}', '{}', 1, now(), now() - interval '25 hours')`,
  );
  await figures.fold(new AbortController().signal);
  const { rows } = await run('SELECT seconds FROM region.figures_minutes ORDER BY seconds');
  expect(rows.map(({ seconds }) => seconds)).toEqual([60, 600, 3600]);
  expect((await run('SELECT FROM region.figures_processes')).rowCount).toBe(0);
});
