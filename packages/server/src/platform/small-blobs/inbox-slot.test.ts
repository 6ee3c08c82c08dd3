import { expect, test } from 'vitest';
import { InboxSlot } from './inbox-slot.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('an upload never waits: the last answer holds, and a new one is asked for once a second', async () => {
  let now = 0;
  let asked = 0;
  let slot = 3;
  const ask = async () => {
    asked++;
    if (slot < 0) throw new Error('no answer');
    return { slot, bytes: 0n, has_old_reader: false };
  };
  const gate = new InboxSlot({ ask, maxBytes: 100, now: () => now });
  expect(gate.slot()).toBeUndefined();
  await settled();
  expect([gate.slot(), gate.slot(), asked]).toEqual([3, 3, 1]);
  slot = 4;
  now = 1_000;
  expect(gate.slot()).toBe(3);
  await settled();
  expect([gate.slot(), asked]).toEqual([4, 2]);
  slot = -1;
  now = 2_000;
  gate.slot();
  await settled();
  expect([gate.slot(), asked]).toEqual([4, 3]);
});

test('a full inbox takes nothing until some of it is packed', async () => {
  let bytes = 100n;
  const ask = async () => ({ slot: 0, bytes, has_old_reader: false });
  const gate = new InboxSlot({ ask, maxBytes: 100 });
  await gate.refresh();
  expect(gate.slot()).toBeUndefined();
  bytes = 99n;
  await gate.refresh();
  expect(gate.slot()).toBe(0);
});

test('while a process of an earlier version serves, all bytes go where it looks for them, also while it restarts', async () => {
  let now = 0;
  let hasOldReader = true;
  const ask = async () => ({ slot: 0, bytes: 0n, has_old_reader: hasOldReader });
  const gate = new InboxSlot({ ask, maxBytes: 100, now: () => now });
  const slotAt = async (time: number) => {
    now = time;
    await gate.refresh();
    return gate.slot();
  };
  expect(await slotAt(0)).toBeUndefined();
  // Nobody asked for a long time, and the answer still holds.
  now = 1_000_000;
  expect(gate.slot()).toBeUndefined();
  await settled();
  hasOldReader = false;
  expect(await slotAt(1_001_000)).toBeUndefined();
  expect(await slotAt(1_060_999)).toBeUndefined();
  expect(await slotAt(1_061_000)).toBe(0);
  hasOldReader = true;
  expect(await slotAt(1_062_000)).toBeUndefined();
});

test('a database that does not answer is asked once, not again and again', async () => {
  let asked = 0;
  let now = 0;
  const ask = () => {
    asked++;
    return new Promise<never>(() => undefined);
  };
  const gate = new InboxSlot({ ask, maxBytes: 100, now: () => now });
  for (; now < 10_000; now += 1000) expect(gate.slot()).toBeUndefined();
  expect(asked).toBe(1);
});
