/** Load: events as fast as they are taken, or at a fixed rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Producer } from './producer.ts';
import type { Receiver } from './receiver.ts';

const CHUNK = 50;

export interface Feeding {
  readonly producer: Producer;
  readonly receiver: Receiver;
  /** Events go to these in turn. */
  readonly urls: readonly string[];
}

/** Keeps this many events waiting for this long, lets them run out, and returns how many arrived per second. */
export async function saturate({ producer, receiver, urls }: Feeding, ahead: number, seconds: number) {
  const [began, before] = [performance.now(), receiver.count];
  let added = 0;
  while (performance.now() - began < seconds * 1000) {
    const outstanding = added - (receiver.count - before);
    if (outstanding >= ahead) {
      await sleep(2);
      continue;
    }
    await producer.add(Array.from({ length: CHUNK }, (_, n) => urls[(added + n) % urls.length] ?? ''));
    added += CHUNK;
  }
  const rate = (receiver.count - before) / ((performance.now() - began) / 1000);
  await drained(receiver, before + added);
  return rate;
}

/** Sends this many events, with `ahead` of them waiting at a time; returns how many arrived per second until the last one did. */
export async function send(feeding: Feeding, ahead: number, count: number): Promise<number> {
  const { producer, receiver, urls } = feeding;
  const [began, before] = [performance.now(), receiver.count];
  for (let added = 0; added < count; ) {
    if (added - (receiver.count - before) >= ahead) {
      await sleep(2);
      continue;
    }
    const next = Math.min(CHUNK, count - added);
    await producer.add(Array.from({ length: next }, (_, n) => urls[(added + n) % urls.length] ?? ''));
    added += next;
  }
  await drained(receiver, before + count);
  return count / ((performance.now() - began) / 1000);
}

/** Adds events one by one at this rate; returns the commit time of each. */
export async function pace({ producer, urls }: Feeding, perSecond: number, seconds: number) {
  const commits = new Map<string, number>();
  const began = performance.now();
  const total = Math.round(perSecond * seconds);
  const running = new Set<Promise<void>>();
  for (let n = 0; n < total; n++) {
    const due = began + (n * 1000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const adding = producer.add([urls[n % urls.length] ?? '']).then(([id = '']) => {
      commits.set(id, performance.timeOrigin + performance.now());
    });
    running.add(adding);
    void adding.finally(() => running.delete(adding));
  }
  await Promise.all(running);
  return commits;
}

const DRAIN_TIMEOUT_MS = 60_000;

/** Waits until the receiver has received this many. */
export async function drained(receiver: Receiver, count: number): Promise<void> {
  const end = performance.now() + DRAIN_TIMEOUT_MS;
  while (receiver.count < count) {
    if (performance.now() > end) throw new Error(`${count - receiver.count} events did not arrive`);
    await sleep(10);
  }
}
