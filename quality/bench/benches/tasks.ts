/**
 * Tasks, four ways: the rate of submissions next to bare inserts of two rows; the time from submission to pickup when a
 * slot is free; ten tasks of one account behind thousands of another; and idle tasks next to normal ones.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBucket, createDeployment, type Deployment } from '@millpond/testing';
import { startDriver } from '../load/driver.ts';
import type { Options } from '../options.ts';
import { addressOf } from '../requests.ts';
import { runRounds } from '../rounds.ts';
import { median, percentile, rounded, spread } from '../statistics.ts';
import { saveas, submit, submitMany, submitRequest, waitFor } from '../tasks/calls.ts';
import { openTimes, type TaskTimes, type TimesReader } from '../tasks/times.ts';
import { type BucketTarget, upload } from '../upload.ts';

const PICKUPS = 60;
const LIGHT = 10;
/** Enough for the ten of the other account to fit into two task durations, taking turns. */
const SLOTS = 16;
const TASK_MS = 1000;
const SETTINGS = {
  MILLPOND_PLAIN_HTTP: 'true',
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  MILLPOND_DB_CONNECTIONS: '16',
};

interface Stage {
  readonly deployment: Deployment;
  readonly url: string;
  readonly times: TimesReader;
  readonly slowUrl: string;
  newSite(): Promise<BucketTarget>;
}

export async function benchTasks(options: Options, cleanup: AsyncDisposableStack): Promise<object> {
  // Each on its own region: what one leaves waiting is not in the way of the next.
  const rate = await benchSubmit(options, await openStage(options, cleanup), cleanup);
  const pickup = await benchPickup(await openStage(options, cleanup));
  const fairness = await benchFairness(options, await openStage(options, cleanup));
  const idle = await benchIdle(await openStage(options, cleanup));
  return { name: 'tasks', ...rate, pickup, fairness, idle };
}

async function openStage(options: Options, cleanup: AsyncDisposableStack): Promise<Stage> {
  const deployment = await createDeployment({
    store: 'disk',
    settings: SETTINGS,
    log: options.json ? 'ignore' : 'inherit',
  });
  cleanup.defer(() => deployment.destroy());
  const { url } = await deployment.start();
  const times = openTimes(deployment.environment.MILLPOND_REGION_DB ?? '');
  cleanup.defer(() => times.close());
  await times.watch();
  const slow = createServer((_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-length': '4' }).end('slow'), TASK_MS);
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  cleanup.defer(() => {
    slow.closeAllConnections();
    slow.close();
  });
  return {
    deployment,
    url,
    times,
    slowUrl: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`,
    async newSite() {
      const account = await deployment.createAccount();
      const site = { url, account, bucket: `tasks-${account.uid}` };
      await createBucket(url, account, site.bucket);
      await upload(site, 'source', Buffer.from('a source'));
      return site;
    },
  };
}

async function benchSubmit(options: Options, stage: Stage, cleanup: AsyncDisposableStack) {
  const target = await stage.newSite();
  const driver = startDriver();
  cleanup.defer(() => driver.stop());
  const to = addressOf(stage.url);
  await stage.times.makeBareTables();
  // A busy machine is slow to open connections one after the other.
  for (let lanes = 1; lanes <= 16; lanes *= 2) await submitMany(target, 64, () => 'qhash/md5', {}, lanes);
  const fields = { key: 'source', fops: `qhash/md5|${saveas(target, 'digest')}` };
  const rounds = await runRounds(
    driver,
    {
      ours: { kind: 'requests', to, requests: [submitRequest(to, target, fields)] },
      bare: {
        kind: 'query',
        url: stage.deployment.environment.MILLPOND_REGION_DB ?? '',
        connections: Number(SETTINGS.MILLPOND_DB_CONNECTIONS),
        name: 'bare-task',
        text: `WITH task AS (INSERT INTO bare_tasks (body) VALUES ($1) RETURNING id)
               INSERT INTO bare_jobs (task) SELECT id FROM task RETURNING 1`,
        values: [['x'.repeat(400)]],
        rows: 1,
      },
    },
    { ...options, serverCpu: () => 0 },
  );
  const ratios = rounds.map(({ ours, bare }) => rounded(ours.opsPerSecond / bare.opsPerSecond));
  return {
    ours: rounded(median(rounds.map(({ ours }) => ours.opsPerSecond))),
    bare: rounded(median(rounds.map(({ bare }) => bare.opsPerSecond))),
    ratio: rounded(median(ratios)),
    spread: spread(ratios),
    submitMs: rounded(median(rounds.flatMap(({ ours }) => ours.latencies))),
  };
}

async function benchPickup(stage: Stage) {
  const target = await stage.newSite();
  const worker = await startWorker(stage, 4);
  // The sandbox is slow to open, and until then nothing is taken.
  await allTaken(stage, await submitMany(target, 1, () => 'qhash/sha1'));
  const ids: string[] = [];
  for (let number = 0; number < PICKUPS; number++) {
    ids.push(
      await submit(target, {
        key: 'source',
        fops: `qhash/md5|${saveas(target, `digest ${number}`)}`,
        force: '1',
      }),
    );
    // At no fixed offset from the worker's polls.
    await sleep(150 + Math.random() * 300);
  }
  const waits = (await allTaken(stage, ids)).map(({ enqueued, taken }) => taken - enqueued);
  await worker.kill('SIGTERM');
  return { tasks: waits.length, p50: rounded(percentile(waits, 0.5)), p99: rounded(percentile(waits, 0.99)) };
}

async function benchFairness(options: Options, stage: Stage) {
  const [heavy, light] = [await stage.newSite(), await stage.newSite()];
  const fops = (target: BucketTarget, name: string) => `${waitFor(stage.slowUrl)}|${saveas(target, name)}`;
  const began = performance.now();
  await submitMany(heavy, options.rows, (number) => fops(heavy, `heavy ${number}`));
  const filled = performance.now() - began;
  const worker = await startWorker(stage, SLOTS);
  await sleep(5 * TASK_MS);
  const ids = await submitMany(light, LIGHT, (number) => fops(light, `light ${number}`));
  const waits = (await allTaken(stage, ids)).map(({ enqueued, taken }) => taken - enqueued);
  await worker.kill('SIGKILL');
  return {
    waiting: options.rows,
    filledPerSecond: rounded((options.rows * 1000) / filled),
    slots: SLOTS,
    taskMs: TASK_MS,
    light: waits.length,
    longestMs: rounded(Math.max(...waits)),
    medianMs: rounded(median(waits)),
    boundMs: 2 * TASK_MS + 200,
  };
}

/** Idle tasks come first; none may be taken while a normal one waits. That their source is not a video is found out quickly. */
async function benchIdle(stage: Stage) {
  const target = await stage.newSite();
  const idle = await submitMany(
    target,
    10,
    (number) => `vframe/jpg/offset/0|${saveas(target, `idle ${number}`)}`,
    { type: '1' },
  );
  const normal = await submitMany(
    target,
    20,
    (number) => `${waitFor(stage.slowUrl)}|${saveas(target, `normal ${number}`)}`,
  );
  const worker = await startWorker(stage, 4);
  const [first, second] = [await allTaken(stage, normal), await allTaken(stage, idle)];
  await worker.kill('SIGKILL');
  const before = second.filter(({ taken }) =>
    first.some((task) => task.enqueued < taken && task.taken > taken),
  );
  return { normal: first.length, idle: second.length, idleBeforeNormal: before.length };
}

function startWorker({ deployment }: Stage, slots: number) {
  return deployment.start({ args: ['work'], settings: { MILLPOND_MEDIA_SLOTS: String(slots) } });
}

async function allTaken({ times }: Stage, ids: readonly string[]): Promise<TaskTimes[]> {
  for (;;) {
    const found = await times.of(ids);
    if (found.length === ids.length) return found;
    await sleep(200);
  }
}
