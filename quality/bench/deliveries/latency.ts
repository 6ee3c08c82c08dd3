/** Milliseconds from each event's commit to the first byte at its receiver. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Feeding, pace } from './feed.ts';

export async function latencies(feeding: Feeding, perSecond: number, seconds: number): Promise<number[]> {
  const { receiver } = feeding;
  receiver.record();
  const commits = await pace(feeding, perSecond, seconds);
  const times = new Map<string, number>();
  while (times.size < commits.size) {
    await sleep(500);
    for (const { id, at } of await receiver.arrivals()) if (!times.has(id)) times.set(id, at);
    receiver.record();
  }
  return [...commits].map(([id, committed]) => Math.max(0, (times.get(id) ?? 0) - committed));
}
