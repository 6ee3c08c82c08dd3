/** Tasks: how many are accepted when none is run, and how many finish when a worker waits for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage.ts';
import { saveas, submit, submitRequest } from '../tasks/calls.ts';
import { type Site, siteOf, upload } from '../upload.ts';
import type { Side } from './rounds.ts';
import { type Opening, openTree, requestSide } from './tree.ts';

const SUBMITTED_AT_ONCE = 32;
/** Tasks that run, and those in flight: some always wait. */
const SLOTS = 4;
const WHOLE_AT_ONCE = 8;
const LOOK_EVERY_MS = 20;
const ENDED_WITHIN_MS = 120_000;
const PLAIN_HTTP = { MILLPOND_PLAIN_HTTP: 'true' };

export async function openSubmissions(opening: Opening): Promise<Side> {
  const stage = await openTree(opening, { store: 'disk', settings: PLAIN_HTTP });
  const site = await openSite(stage);
  const request = submitRequest(stage.address, site, tinyTask(site));
  const work = { kind: 'requests', to: stage.address, requests: [request] } as const;
  return requestSide(stage, opening.driver, work, SUBMITTED_AT_ONCE);
}

export async function openWholeTasks(opening: Opening): Promise<Side> {
  const settings = { ...PLAIN_HTTP, MILLPOND_MEDIA_SLOTS: String(SLOTS) };
  const stage = await openTree(opening, { store: 'disk', settings });
  const site = await openSite(stage);
  // The sandbox is slow to open, and until then nothing is taken.
  await runTask(site);
  return {
    cpu: stage.serverCpu,
    async run(seconds) {
      const began = performance.now();
      let count = 0;
      const lane = async () => {
        for (; performance.now() - began < seconds * 1000; count++) await runTask(site);
      };
      await Promise.all(Array.from({ length: WHOLE_AT_ONCE }, lane));
      return { perSecond: (count * 1000) / (performance.now() - began), count };
    },
  };
}

/** A bucket with an object to work on. */
export async function openSite(stage: Stage): Promise<Site> {
  const site = siteOf(stage);
  await upload(site, 'source', Buffer.from('a source'));
  return site;
}

function tinyTask(site: Site) {
  return { key: 'source', fops: `qhash/md5|${saveas(site, 'digest')}`, force: '1' };
}

async function runTask(site: Site): Promise<void> {
  const id = await submit(site, tinyTask(site));
  const end = performance.now() + ENDED_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${site.url}/status/get/prefop?id=${id}`);
    const { code } = (await answer.json()) as { code: number };
    if (code === 0) return;
    if (code === 3) throw new Error(`task ${id} failed`);
    if (performance.now() > end) throw new Error(`task ${id} has not ended within ${ENDED_WITHIN_MS} ms`);
    await sleep(LOOK_EVERY_MS);
  }
}
