import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';
import { TooManyWaitersError } from './too-many-waiters.ts';

const never = new AbortController().signal;

/** Who has entered, in order; and how to let the one that entered first leave. */
function entrance(gate: FairSemaphore<string>) {
  const entered: string[] = [];
  const inside: (() => void)[] = [];
  return {
    entered,
    enter: async (party: string, name = party): Promise<void> => {
      const leave = await gate.enter(party, never);
      entered.push(name);
      inside.push(leave);
    },
    leave: async (): Promise<void> => {
      inside.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

test('one party has no more than its slots while others come, and those enter meanwhile', async () => {
  const { entered, enter, leave } = entrance(new FairSemaphore({ slots: 4, slotsEach: 2, waiting: 9 }));
  await enter('b', 'seen');
  await leave();
  entered.length = 0;
  for (const name of ['a1', 'a2', 'a3', 'a4']) void enter('a', name);
  await enter('b');
  await enter('c');
  expect(entered).toEqual(['a1', 'a2', 'b', 'c']);
  await leave();
  expect(entered.slice(4)).toEqual(['a3']);
  await leave();
  expect(entered.slice(5)).toEqual(['a4']);
});

test('a party that is alone has all slots, and again when the others have not come for a minute', async () => {
  let now = 0;
  const gate = new FairSemaphore<string>({ slots: 3, slotsEach: 1, waiting: 9, now: () => now });
  const { entered, enter, leave } = entrance(gate);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void enter('a', name);
  await new Promise(setImmediate);
  expect(entered).toEqual(['a1', 'a2', 'a3']);
  void enter('b');
  await leave();
  expect(entered.slice(3)).toEqual(['b']);
  await leave();
  await leave();
  expect(entered.slice(4)).toEqual(['a4']);
  for (const name of ['a5', 'a6', 'a7']) void enter('a', name);
  await leave();
  expect(entered.slice(5)).toEqual([]);
  now = 60_001;
  void enter('a', 'a8');
  await leave();
  expect(entered.slice(5)).toEqual(['a5', 'a6', 'a7']);
});

test('parties that wait take turns, each in its own order', async () => {
  const { entered, enter, leave } = entrance(new FairSemaphore({ slots: 1, slotsEach: 1, waiting: 9 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void enter('a', name);
  void enter('b', 'b1');
  void enter('b', 'b2');
  for (let turn = 0; turn < 6; turn++) await leave();
  expect(entered).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('who comes when too many wait is turned away; who gives up takes no place', async () => {
  const gate = new FairSemaphore<string>({ slots: 1, slotsEach: 1, waiting: 1 });
  const leave = await gate.enter('a', never);
  const patience = new AbortController();
  const waiting = gate.enter('b', patience.signal);
  await expect(gate.enter('c', never)).rejects.toThrow(TooManyWaitersError);
  patience.abort(new Error('late'));
  await expect(waiting).rejects.toThrow('late');
  const next = gate.enter('c', never);
  leave();
  leave();
  expect(await next).toBeTypeOf('function');
  await expect(gate.enter('c', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
});

test('when too many wait, a newcomer takes the place of the last one of the longest line', async () => {
  const gate = new FairSemaphore<string>({ slots: 1, slotsEach: 1, waiting: 3 });
  const leave = await gate.enter('a', never);
  const line = ['a', 'a', 'a'].map((party) => gate.enter(party, never));
  const other = gate.enter('b', never);
  await expect(line[2]).rejects.toThrow(TooManyWaitersError);
  await expect(gate.enter('a', never)).rejects.toThrow(TooManyWaitersError);
  leave();
  (await line[0])?.();
  (await other)();
  (await line[1])?.();
});

test('whoever waits with nothing running gets a slot of the party with the most, and no more than that', async () => {
  const gate = new FairSemaphore<string>({ slots: 3, slotsEach: 2, waiting: 9, patienceMs: 5 });
  const gaveUp: string[] = [];
  const run = async (name: string) => {
    const leave = await gate.enter('a', never, () => {
      gaveUp.push(name);
      leave();
    });
    return leave;
  };
  await run('first');
  await run('second');
  await run('third');
  const leave = await gate.enter('b', never);
  expect(gaveUp).toEqual(['third']);
  const again = gate.enter('b', never);
  const other = await gate.enter('c', never);
  expect(gaveUp).toEqual(['third', 'second']);
  // Now each has one: nobody has one to spare.
  const waiting = gate.enter('d', never);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(gaveUp).toEqual(['third', 'second']);
  leave();
  (await again)();
  (await waiting)();
  other();
});

test('whatever comes and goes: no slot is left free for which somebody may wait, and none is taken twice', async () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant('leave'));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const gate = new FairSemaphore<string>({ slots: 3, slotsEach: 2, waiting: 100 });
      for (const party of ['a', 'b']) (await gate.enter(party, never))();
      const inside: { party: string; leave: () => void }[] = [];
      const wanted: string[] = [];
      for (const what of steps) {
        if (what === 'leave') inside.shift()?.leave();
        else {
          wanted.push(what);
          void gate.enter(what, never).then((leave) => {
            wanted.splice(wanted.indexOf(what), 1);
            inside.push({ party: what, leave });
          });
        }
        await new Promise(setImmediate);
        const running = (party: string) => inside.filter((one) => one.party === party).length;
        expect(inside.length).toBeLessThanOrEqual(3);
        for (const party of ['a', 'b', 'c']) expect(running(party)).toBeLessThanOrEqual(2);
        if (inside.length < 3) for (const party of wanted) expect(running(party)).toBe(2);
      }
    }),
  );
});
