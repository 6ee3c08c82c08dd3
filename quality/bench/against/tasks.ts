/** Tasks: how many are accepted when none is run, and how many finish when a worker waits for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage.ts';
import { saveas, submit, submitRequest } from '../tasks/calls.ts';
import { type BucketTarget, siteOf, upload } from '../upload.ts';
import type { Side } from './rounds.ts';
import { type Opening, openTree, requestSide } from './tree.ts';

const MAX_CONCURRENT_SUBMITS = 32;
/** Tasks that run, and those in flight: some always wait. */
const SLOTS = 4;
const MAX_CONCURRENT_READS = 8;
const CHECK_INTERVAL_MS = 20;
const END_TIMEOUT_MS = 120_000;
const PLAIN_HTTP = { MILLPOND_PLAIN_HTTP: 'true' };

export async function openSubmissions(opening: Opening): Promise<Side> {
  const stage = await openTree(opening, { store: 'disk', settings: PLAIN_HTTP });
  const target = await openSite(stage);
  const request = submitRequest(stage.address, target, tinyTask(target));
  const work = { kind: 'requests', to: stage.address, requests: [request] } as const;
  return requestSide(stage, opening.driver, work, MAX_CONCURRENT_SUBMITS);
}

export async function openWholeTasks(opening: Opening): Promise<Side> {
  const settings = { ...PLAIN_HTTP, MILLPOND_MEDIA_SLOTS: String(SLOTS) };
  const stage = await openTree(opening, { store: 'disk', settings });
  const target = await openSite(stage);
  // The sandbox is slow to open, and until then nothing is taken.
  await runTask(target);
  return {
    cpu: stage.serverCpu,
    async run(seconds) {
      const began = performance.now();
      let count = 0;
      const lane = async () => {
        for (; performance.now() - began < seconds * 1000; count++) await runTask(target);
      };
      await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, lane));
      return { perSecond: (count * 1000) / (performance.now() - began), count };
    },
  };
}

/** A bucket with an object to work on. */
export async function openSite(stage: Stage): Promise<BucketTarget> {
  const target = siteOf(stage);
  await upload(target, 'source', Buffer.from('a source'));
  return target;
}

function tinyTask(target: BucketTarget) {
  return { key: 'source', fops: `qhash/md5|${saveas(target, 'digest')}`, force: '1' };
}

async function runTask(target: BucketTarget): Promise<void> {
  const id = await submit(target, tinyTask(target));
  const end = performance.now() + END_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`${target.url}/status/get/prefop?id=${id}`);
    const { code } = (await answer.json()) as { code: number };
    if (code === 0) return;
    if (code === 3) throw new Error(`task ${id} failed`);
    if (performance.now() > end) throw new Error(`task ${id} has not ended within ${END_TIMEOUT_MS} ms`);
    await sleep(CHECK_INTERVAL_MS);
  }
}
