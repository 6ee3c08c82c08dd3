/** The rules of waiting. The engine is never reached: the job itself waits, or gives up with its signal. */
import { once } from 'node:events';
import { type EngineKind, EngineMissingError, type MediaEngine } from '@millpond/jail';
import { Fault } from '@millpond/protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Renderer, type RendererOptions, type RenderJob } from './maker.ts';

const never = () => new AbortController().signal;

function maker(options: Partial<RendererOptions> = {}): Renderer<string> {
  const engine = async () => ({}) as MediaEngine;
  return new Renderer({ engine, slots: 1, waiting: 2, processes: 3, timeoutMs: 60_000, ...options });
}

/** Work that begins, and ends when it is told to give up. */
function endless(name = 'a', tenant = 1n) {
  const begun = Promise.withResolvers<AbortSignal>();
  const order: RenderJob<string> = {
    name,
    tenant,
    async job(signal) {
      begun.resolve(signal);
      await once(signal, 'abort');
      throw signal.reason;
    },
    keep: async () => name,
  };
  return { order, begun: begun.promise };
}

/** Deadlines that pass when a test says so, in the order in which they begin. */
function heldDeadlines(): readonly AbortController[] {
  const begun: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    begun.push(controller);
    return controller.signal;
  });
  return begun;
}

afterEach(() => vi.restoreAllMocks());

const faultOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Fault ? error.fault : error),
  );

describe('the maker', () => {
  test('goes on while somebody waits for the same, and gives up when nobody does', async () => {
    const [made, { order, begun }] = [maker(), endless()];
    const [first, second] = [new AbortController(), new AbortController()];
    const [one, two] = [made.make(order, first.signal), made.make(order, second.signal)];
    const signal = await begun;
    expect(made.activeCount).toBe(1);
    first.abort(new Error('left'));
    await expect(one).rejects.toThrow('left');
    expect(signal.aborted).toBe(false);
    second.abort(new Error('left, too'));
    await expect(two).rejects.toThrow('left, too');
    expect(signal.aborted).toBe(true);
    await expect.poll(() => made.activeCount).toBe(0);
  });

  test('ends work that takes too long', async () => {
    const made = maker({ timeoutMs: 20 });
    expect(await faultOf(made.make(endless().order, never()))).toBe('commandFailed');
    expect(made.activeCount).toBe(0);
  });

  test('turns away who comes when too many wait, and lets others in afterwards', async () => {
    const made = maker({ slots: 1, waiting: 1 });
    const leave = new AbortController();
    const [running, waiting] = [endless('a', 1n), endless('b', 2n)];
    const left = Promise.allSettled([
      made.make(running.order, leave.signal),
      made.make(waiting.order, leave.signal),
    ]);
    await running.begun;
    const refusal = made.make(endless('c', 3n).order, never());
    await expect(refusal).rejects.toMatchObject({ fault: 'tooManyRequests', retryAfterSeconds: 1 });
    leave.abort(new Error('left'));
    await left;
    await expect.poll(() => made.activeCount).toBe(0);
    const [later, gone] = [endless('d', 1n), new AbortController()];
    const last = made.make(later.order, gone.signal);
    await later.begun;
    gone.abort(new Error('left'));
    await expect(last).rejects.toThrow('left');
  });

  test('a tenant that has several runs begins one anew when another tenant waits', async () => {
    const made = maker({ slots: 3, waiting: 6, processes: 3 });
    const leave = new AbortController();
    const begun: string[] = [];
    const order = (name: string, tenant: bigint): RenderJob<string> => ({
      name,
      tenant,
      async job(signal) {
        begun.push(name);
        await once(signal, 'abort');
        throw signal.reason;
      },
      keep: async () => name,
    });
    const own = ['a', 'b', 'c'].map((name) => made.make(order(name, 1n), leave.signal));
    await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
    const gone = new AbortController();
    const other = made.make(order('d', 2n), gone.signal);
    await expect.poll(() => begun, { timeout: 10_000 }).toEqual(['a', 'b', 'c', 'd']);
    expect(made.activeCount).toBe(4);
    gone.abort(new Error('left'));
    await expect(other).rejects.toThrow('left');
    // The one that made way had not failed: it begins again.
    leave.abort(new Error('left'));
    for (const promise of own) await expect(promise).rejects.toThrow('left');
  });

  test('what failed is not tried again for a while, unless somebody only gave it up', async () => {
    const made = maker({ timeoutMs: 20 });
    let runs = 0;
    const job: RenderJob<string> = {
      name: 'a',
      tenant: 1n,
      async job(signal) {
        runs++;
        await once(signal, 'abort');
        throw signal.reason;
      },
      keep: async () => 'a',
    };
    const left = new AbortController();
    const given = made.make(job, left.signal);
    await expect.poll(() => runs).toBe(1);
    left.abort(new Error('left'));
    await expect(given).rejects.toThrow('left');
    for (const _ of [1, 2, 3]) expect(await faultOf(made.make(job, never()))).toBe('commandFailed');
    expect(runs).toBe(2);
  });

  test('one tenant takes at most half of all places', async () => {
    const made = maker({ slots: 2, waiting: 4 });
    const leave = new AbortController();
    const own = ['a', 'b', 'c'].map((name) => made.make(endless(name, 1n).order, leave.signal));
    expect(await faultOf(made.make(endless('d', 1n).order, never()))).toBe('tooManyRequests');
    const other = made.make(endless('e', 2n).order, leave.signal);
    expect(made.activeCount).toBe(4);
    leave.abort(new Error('left'));
    for (const promise of [...own, other]) await expect(promise).rejects.toThrow('left');
    await expect.poll(() => made.activeCount).toBe(0);
  });

  test.each([
    { processes: 3, slots: 4, both: ['a', 'b', 'e', 'f'] },
    { processes: 9, slots: 5, both: ['a', 'b', 'e', 'f'] },
    { processes: 2, slots: 8, both: ['a', 'e'] },
    { processes: 1, slots: 2, both: ['a', 'e'] },
  ])(
    'of $slots slots and $processes processes one account has not all: another begins at once',
    async ({ both, ...options }) => {
      const made = maker({ ...options, waiting: 12 });
      const leave = new AbortController();
      // There are several accounts: the second has been here before.
      const early = new AbortController();
      const before = endless('before', 2n);
      const gone = made.make(before.order, early.signal);
      await before.begun;
      early.abort(new Error('left'));
      await expect(gone).rejects.toThrow('left');
      const own = ['a', 'b', 'c', 'd'].map((name) => endless(name, 1n));
      const others = ['e', 'f'].map((name) => endless(name, 2n));
      const all = [...own, ...others].map(({ order }) => made.make(order, leave.signal));
      const begun = new Set<string>();
      for (const { order, begun: begins } of [...own, ...others])
        void begins.then(() => begun.add(order.name));
      await Promise.all(others.filter(({ order }) => both.includes(order.name)).map((other) => other.begun));
      expect([...begun].toSorted()).toEqual(both);
      leave.abort(new Error('left'));
      await Promise.allSettled(all);
    },
  );

  test('a wait that is too long is no failure of the work: it may be tried again', async () => {
    const [made, leave, deadlines] = [maker(), new AbortController(), heldDeadlines()];
    const running = endless('a', 1n);
    const first = made.make(running.order, leave.signal);
    const signal = await running.begun;
    const waiting = made.make(endless('b', 2n).order, never());
    deadlines.at(-1)?.abort();
    await expect(waiting).rejects.toMatchObject({ fault: 'tooManyRequests', retryAfterSeconds: 1 });
    expect(signal.aborted).toBe(false);
    leave.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    await expect.poll(() => made.activeCount).toBe(0);
  });

  test('the time for the work begins with the work', async () => {
    const [made, leave, deadlines] = [maker(), new AbortController(), heldDeadlines()];
    const [running, late] = [endless('a', 1n), endless('b', 2n)];
    const first = made.make(running.order, leave.signal);
    await running.begun;
    const second = made.make(late.order, never());
    const ofWaiting = deadlines.at(-1);
    leave.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    const signal = await late.begun;
    ofWaiting?.abort();
    expect(signal.aborted).toBe(false);
    deadlines.at(-1)?.abort();
    expect(await faultOf(second)).toBe('commandFailed');
  });

  test('says what is off where an engine is missing, and where no slots are', async () => {
    const lacking = (kind: EngineKind): Renderer<string> =>
      maker({
        engine: () =>
          Promise.reject(new EngineMissingError(kind, { problem: 'no sandbox', remedy: 'install one' })),
      });
    const off = { images: 'processing is off on this server', media: 'films are off on this server' };
    for (const [made, hint] of [
      [lacking('images'), off.images],
      [lacking('media'), off.media],
      [maker({ slots: 0 }), off.images],
    ] as const)
      await expect(made.make(endless().order, never())).rejects.toMatchObject({
        fault: 'unsupportedCommand',
        hint,
      });
  });

  test('what is not about the work stays what it is', async () => {
    const order = { ...endless().order, job: () => Promise.reject(new Error('the engine is away')) };
    await expect(maker().make(order, never())).rejects.toThrow('the engine is away');
  });
});
