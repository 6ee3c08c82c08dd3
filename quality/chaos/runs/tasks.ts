/** kill -9 of workers at every stage of a task, while others stand by to rerun it. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { etagOf, formatEntry } from '@millpond/protocol';
import { hashing, signedFetch, uploadForm, uploadToken } from '@millpond/testing';
import { checkTasks, type EndedTask } from '../checks/tasks.ts';
import { taskAttempts } from '../engine/rows.ts';
import { startEventReceiver } from '../load/events.ts';
import { KillableServer } from '../load/server.ts';
import { makeVideo, padded, playedSeconds } from '../load/task-media.ts';
import { STAGES, type Stage, setTrap } from '../load/task-stages.ts';
import { TaskWorker } from '../load/task-worker.ts';
import { Findings } from '../report.ts';
import { type RunContext, type RunEnvironment, withRunEnvironment } from '../run-environment.ts';
import { collectAndVerify } from '../verify.ts';

const WORKERS = 4;
/** A killed worker may still be restarting. */
const MIN_RUNNING_WORKERS = WORKERS - 1;
const VIDEO_SECONDS = 6;
const PADDED_BYTES = 48 * 1024 * 1024;
const END_TIMEOUT_MS = 120_000;
const SETTINGS = {
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  MILLPOND_PLAIN_HTTP: 'true',
  MILLPOND_TASK_QUERIES_PER_ADDRESS: '100000+100000/m',
  // A worker held in a trap may outlast the other runs' short window.
  MILLPOND_COMMIT_WINDOW: '1h',
  MILLPOND_SWEEP_AGE: '2h',
};

interface KilledTask {
  readonly id: string;
  readonly prefix: string;
  readonly stage: Stage;
  readonly rerun: Promise<number | undefined>;
}

interface Record {
  readonly code: number;
  readonly items: readonly {
    readonly code: number;
    readonly key?: string;
    readonly keys?: string[];
    readonly hash?: string;
    readonly error: string;
  }[];
}

export function runTasks(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async (environment) => {
    const { options, random, say, signal } = context;
    const { deployment } = environment;
    const folder = path.join(tmpdir(), `millpond-chaos-${process.pid}`);
    const receiver = await startEventReceiver(random.fork('receiver'));
    const workers: TaskWorker[] = [];
    try {
      const gateway = await KillableServer.start(deployment, SETTINGS);
      for (let number = 0; number < WORKERS; number++)
        workers.push(await TaskWorker.start(deployment, number, folder, SETTINGS));
      await putSources(environment, gateway.url);
      const killed: KilledTask[] = [];
      const nemesis = random.fork('nemesis');
      const end = options.minutes === undefined ? undefined : Date.now() + options.minutes * 60_000;
      while (end === undefined ? killed.length < options.kills : Date.now() < end) {
        while (workers.filter(({ isUp }) => isUp).length < MIN_RUNNING_WORKERS)
          await sleep(50, undefined, { signal });
        const stage = STAGES[killed.length % STAGES.length] ?? 'engine';
        const number = killed.length;
        killed.push(
          await killAt(stage, number, nemesis.integer(0, 250), {
            environment,
            url: gateway.url,
            notify: receiver.url,
            workers,
          }),
        );
        say(`kill ${killed.length}: ${stage}`);
      }
      const reruns = await Promise.all(killed.map(async ({ rerun }) => rerun));
      say('all were started again');
      const ended = await endsOf(context, environment, gateway.url, killed, reruns);
      await toldAll(context, ended, () => receiver.arrivals.map(({ body }) => taskIn(body)));
      const findings = new Findings();
      const told = receiver.arrivals.map(({ id, body }) => ({ deliveryId: id, taskId: taskIn(body), body }));
      checkTasks(ended, told, findings);
      const cleared = await collectAndVerify(context, environment, findings, { crashed: true });
      const waits = reruns.filter((seconds) => seconds !== undefined).toSorted((one, other) => one - other);
      const stages = Object.fromEntries(
        STAGES.map((stage) => [stage, killed.filter((task) => task.stage === stage).length]),
      );
      const failed = ended.filter(({ code }) => code === 3).length;
      return [
        findings,
        {
          acknowledged: killed.length,
          kills: stages,
          done: ended.length - failed,
          givenUp: failed,
          toldTwice: told.length - new Set(told.map(({ deliveryId }) => deliveryId)).size,
          rerunAfter: { median: waits[waits.length >> 1], longest: waits.at(-1) },
          ...cleared,
        },
      ];
    } finally {
      await receiver.close();
      // They write there until they are gone, and their sandboxed processes a moment longer.
      await Promise.all(workers.map((worker) => worker.kill()));
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });
}

async function putSources({ account, bucket }: RunEnvironment, url: string): Promise<void> {
  const video = makeVideo(VIDEO_SECONDS);
  for (const [key, content] of [
    ['video', video],
    ['padded', padded(video, PADDED_BYTES)],
  ] as const) {
    const token = uploadToken(account, { scope: `${bucket}:${key}` });
    const answer = await uploadForm(url, content, { token, key });
    if (!answer.ok) throw new Error(`storing ${key}: ${answer.status}`);
  }
}

interface Scene {
  readonly environment: RunEnvironment;
  readonly url: string;
  readonly notify: string;
  readonly workers: readonly TaskWorker[];
}

/** Submits a unique task, waits until a worker is at the stage, and kills it. */
async function killAt(stage: Stage, number: number, late: number, scene: Scene): Promise<KilledTask> {
  const { environment, url, workers } = scene;
  const prefix = `result-${number}`;
  const trap = await setTrap(environment.regionUrl);
  try {
    const id = await submit(scene, stage, number, prefix);
    const worker = await trap.claimed(id, workers);
    if (stage !== 'claim') await trap.release();
    await trap.reached(stage, worker, prefix);
    // At some point within a long stage; a stage held by a lock lasts anyway.
    if (stage === 'engine' || stage === 'parts') await sleep(late);
    await worker.kill();
    const at = Date.now();
    const attempt = await taskAttempts(environment.regionUrl, id);
    worker.restart().catch(() => undefined);
    return { id, prefix, stage, rerun: rerunOf(environment.regionUrl, id, attempt, at) };
  } finally {
    await trap.close();
  }
  async function submit({ notify }: Scene, at: Stage, count: number, key: string): Promise<string> {
    const size = `${100 + 2 * (count % 400)}x${90 + 2 * Math.floor(count / 400)}`;
    const command = at === 'parts' ? `avthumb/m3u8/segtime/2/noDomain/1/s/${size}` : `avthumb/mp4/s/${size}`;
    const body = new URLSearchParams({
      bucket: environment.bucket,
      key: at === 'download' ? 'padded' : 'video',
      fops: `${command}|saveas/${formatEntry(environment.bucket, key)}`,
      notifyURL: `${notify}/tasks`,
    }).toString();
    const answer = await signedFetch(url, environment.account, '/pfop/', { body });
    const { persistentId } = (await answer.json()) as { persistentId?: string };
    if (persistentId === undefined) throw new Error(`no task: ${answer.status}`);
    return persistentId;
  }
}

/** Seconds until another run began; undefined if the killed one had already finished the task. */
async function rerunOf(
  regionUrl: string,
  id: string,
  attempt: { attempt: number; isOver: boolean },
  at: number,
): Promise<number | undefined> {
  if (attempt.isOver) return undefined;
  for (const end = at + END_TIMEOUT_MS; Date.now() < end; await sleep(100)) {
    const now = await taskAttempts(regionUrl, id).catch(() => undefined);
    if (now !== undefined && (now.attempt > attempt.attempt || now.isOver)) return (Date.now() - at) / 1000;
  }
  return END_TIMEOUT_MS / 1000;
}

async function endsOf(
  { say, signal }: RunContext,
  environment: RunEnvironment,
  url: string,
  killed: readonly KilledTask[],
  reruns: readonly (number | undefined)[],
): Promise<EndedTask[]> {
  const status = async (id: string) => (await fetch(`${url}/status/get/prefop?id=${id}`)).text();
  const first: string[] = [];
  for (const { id } of killed) {
    let text = await status(id);
    for (const end = Date.now() + END_TIMEOUT_MS; !isOver(text) && Date.now() < end; text = await status(id))
      await sleep(200, undefined, { signal });
    first.push(text);
  }
  say('all have ended; checking their results');
  const ended: EndedTask[] = [];
  for (const [index, { id }] of killed.entries()) {
    const text = await status(id);
    const record = JSON.parse(text) as Record;
    ended.push({
      id,
      records: [first[index] ?? '', text],
      code: record.code,
      flaw: await flawOf(environment, url, record),
      rerunAfter: reruns[index],
    });
  }
  return ended;
}

const isOver = (text: string) => [0, 3].includes((JSON.parse(text) as Record).code);
const taskIn = (body: string) => (JSON.parse(body) as { id: string }).id;

/** The main result has the reported hash, and it, or all its parts together, plays to the end. */
async function flawOf(
  { bucket }: RunEnvironment,
  url: string,
  { items }: Record,
): Promise<string | undefined> {
  for (const { code, key = '', keys, hash } of items) {
    if (code === 3) continue;
    const get = async (name: string) => {
      const answer = await fetch(`${url}/${bucket}/${name}`);
      if (!answer.ok) throw new Error(`${name} answers ${answer.status}`);
      return Buffer.from(await answer.arrayBuffer());
    };
    try {
      const main = await get(key);
      if (etagOf(hashing, main) !== hash) return `${key} has a different hash than reported`;
      const video = keys === undefined ? main : Buffer.concat(await Promise.all(keys.slice(1).map(get)));
      const seconds = await playedSeconds(video);
      if (Math.abs(seconds - VIDEO_SECONDS) > 0.5) return `${key} plays for ${seconds} s`;
    } catch (error) {
      return `${key}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`;
    }
  }
  return undefined;
}

async function toldAll(
  { signal }: RunContext,
  ended: readonly EndedTask[],
  told: () => string[],
): Promise<void> {
  for (const end = Date.now() + END_TIMEOUT_MS; Date.now() < end; await sleep(200, undefined, { signal })) {
    const known = new Set(told());
    if (ended.every(({ id }) => known.has(id))) return;
  }
}
