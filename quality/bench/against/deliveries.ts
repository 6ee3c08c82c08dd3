/**
 * Events to a receiver. The events are made once: cancelled tasks, whose owner is notified. Each turn then resends all
 * of them, in bursts, which costs one request each.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { signedFetch } from '@millpond/testing';
import { drained } from '../deliveries/feed.ts';
import { RECEIVER_ADDRESS, type Receiver, startReceiver } from '../deliveries/receiver.ts';
import { saveas, submitMany } from '../tasks/calls.ts';
import type { BucketTarget } from '../upload.ts';
import type { Load, Side } from './rounds.ts';
import { openSite } from './tasks.ts';
import { type Opening, openTree } from './tree.ts';

/** As many as one call resends. */
const EVENTS = 1000;
const MAX_CONCURRENT_CANCELS = 16;
const CHECK_INTERVAL_MS = 10;

export async function openDeliveries(opening: Opening): Promise<Side> {
  const settings = { MILLPOND_PLAIN_HTTP: 'true', MILLPOND_OUTBOUND_ALLOW: `${RECEIVER_ADDRESS}/32` };
  const stage = await openTree(opening, { store: 'disk', settings });
  const receiver = startReceiver();
  opening.cleanup.defer(() => receiver.stop());
  const [url = ''] = await receiver.listen(1);
  const target = await openSite(stage);
  await makeEvents(target, url);
  await drained(receiver, EVENTS);
  return { cpu: stage.serverCpu, run: (seconds) => sendFor(target, receiver, seconds) };
}

async function makeEvents(target: BucketTarget, url: string): Promise<void> {
  const fops = (number: number) => `qhash/md5|${saveas(target, `digest ${number}`)}`;
  const ids = (await submitMany(target, EVENTS, fops, { notifyURL: `${url}/events` })).values();
  const lane = async () => {
    for (const id of ids) await call(target, 'POST', `/v1/tasks/${id}/cancel`, '');
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CANCELS }, lane));
}

/** Only bursts count: from the request to the last arrival. */
async function sendFor(target: BucketTarget, receiver: Receiver, seconds: number): Promise<Load> {
  let [count, spent] = [0, 0];
  while (spent < seconds * 1000) {
    await allSettled(target);
    const [began, before] = [performance.now(), receiver.count];
    const answer = (await call(target, 'POST', '/v1/deliveries/replay', 'since=0')) as { count: number };
    await drained(receiver, before + answer.count);
    spent += performance.now() - began;
    count += answer.count;
  }
  await allSettled(target);
  return { perSecond: (count * 1000) / spent, count };
}

/** What has arrived may not be recorded as delivered yet, and what is in flight is not resent. */
async function allSettled(site: BucketTarget): Promise<void> {
  const target = '/v1/deliveries?state=waiting&limit=1';
  for (;;) {
    const page = (await call(site, 'GET', target)) as { items: readonly object[]; marker?: string };
    if (page.items.length === 0 && page.marker === undefined) return;
    await sleep(CHECK_INTERVAL_MS);
  }
}

async function call({ url, account }: BucketTarget, method: 'GET' | 'POST', target: string, body?: string) {
  const form = body === undefined ? { contentType: null } : { body };
  const answer = await signedFetch(url, account, target, { method, ...form });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as object);
}
