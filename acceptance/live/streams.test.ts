import { describe, expect, test } from 'vitest';
import { SOON, useLive } from '../support/live.ts';
import { useReceiver } from '../support/receiver.ts';

const receiver = useReceiver();
const live = useLive();

describe('a stream that is published', () => {
  test('is told online at once and offline after its delay, in exactly the fields of the interface [live-01 live-02 live-03 live-04 live-05 live-06 live-stream-01 live-stream-02 live-stream-03 live-stream-04 live-rule-02 live-rule-07]', async () => {
    const ns = await live.namespace(receiver);
    const began = Math.floor(Date.now() / 1000);
    const publisher = live.publish(await live.stream(ns, 'gate'), 3);
    await expect.poll(() => ns.events(), SOON).toHaveLength(1);
    await publisher.ended;
    const went = Math.floor(Date.now() / 1000);
    await expect.poll(() => ns.events(), SOON).toHaveLength(2);
    const [online, offline] = ns.events();
    const fields = {
      type: 'stream',
      nsId: ns.id,
      streamId: 'gate',
      timeSec: expect.any(Number),
      reqId: expect.any(String),
    };
    expect(online).toEqual({ ...fields, streamState: 1 });
    expect(offline).toEqual({ ...fields, streamState: 0 });
    expect(online?.reqId).not.toBe(offline?.reqId);
    for (const event of ns.events()) expect(String(event.timeSec)).toMatch(/^\d{10}$/);
    expect(online?.timeSec).toBeGreaterThanOrEqual(began);
    // The time of the change, not of telling: the delay of a second is not in it.
    expect(Math.abs(Number(offline?.timeSec) - went)).toBeLessThanOrEqual(1);
  });
});
