import { TooManyWaitersError } from '@millpond/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Coalescer, type CoalescerOptions } from './coalescer.ts';

interface Item {
  readonly id: number;
  readonly group: number;
  readonly key: number;
  readonly isBad: boolean;
  /** Signal of its caller. */
  readonly cancel: AbortSignal;
}

interface Attempt {
  readonly items: readonly Item[];
  isUnderWay: boolean;
}

/** What is one item's fault. */
class Refused extends Error {}

const LIMITS = { most: 4, atOnce: 2 };

/** Work that notes what it is given, and fails with what one of its items deserves, or altogether at some attempts. */
function watched(answer: () => Promise<unknown>, awayAt: readonly number[]) {
  const attempts: Attempt[] = [];
  const coalescer = new Coalescer<Item, string>({
    ...LIMITS,
    group: ({ group }) => group,
    key: ({ key }) => key,
    async work(items, cancel) {
      const attempt = { items, isUnderWay: true };
      const number = attempts.push(attempt) - 1;
      expectWithinLimits(attempts.filter(({ isUnderWay }) => isUnderWay));
      expect(items.filter((item) => item.cancel.aborted)).toEqual([]);
      await answer();
      attempt.isUnderWay = false;
      expect(cancel.aborted).toBe(items.every((item) => item.cancel.aborted));
      cancel.throwIfAborted();
      if (awayAt.includes(number)) throw new Error(`away at ${number}`);
      if (items.some(({ isBad }) => isBad)) throw new Refused(`refused ${items.map(({ id }) => id).join()}`);
      return items.map(({ id }) => `done ${id}`);
    },
    isOfOne: (error) => error instanceof Refused,
  });
  return { coalescer, attempts };
}

function expectWithinLimits(underWay: readonly Attempt[]): void {
  for (const ofGroup of Map.groupBy(underWay, ({ items }) => items[0]?.group).values()) {
    expect(ofGroup.length).toBeLessThanOrEqual(LIMITS.atOnce);
    for (const { items } of ofGroup) expect(items.length).toBeLessThanOrEqual(LIMITS.most);
    const items = ofGroup.flatMap((attempt) => attempt.items);
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
    expect(new Set(items.map(({ group }) => group)).size).toBe(1);
  }
}

/** What a caller may be told, by what came of the attempts. */
function outcomesOf({ id, isBad, cancel }: Item, attempts: readonly Attempt[], awayAt: readonly number[]) {
  const batch = attempts.find(({ items }) => items.some((item) => item.id === id));
  const away = awayAt.filter((number) => attempts[number]?.items.some((item) => batch?.items.includes(item)));
  return [
    ...(cancel.aborted ? [`left ${id}`] : []),
    ...away.map((number) => `away at ${number}`),
    isBad ? `refused ${id}` : `done ${id}`,
  ];
}

test('whatever comes, leaves, fails and is answered in whatever order: each has its own outcome, in its turn', async () => {
  const asked = fc.record({
    group: fc.nat({ max: 1 }),
    key: fc.nat({ max: 4 }),
    isBad: fc.nat({ max: 5 }).map((die) => die === 0),
    leaves: fc.nat({ max: 3 }).map((die) => die === 0),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(asked, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 2 }),
      fc.boolean(),
      async (scheduler, list, awayAt, sharesKeys) => {
        const { coalescer, attempts } = watched(() => scheduler.schedule(Promise.resolve()), awayAt);
        const came: Item[] = [];
        const outcomes = list.map(async ({ leaves, ...fields }, id) => {
          const leaving = new AbortController();
          const item = { ...fields, id, cancel: leaving.signal, key: sharesKeys ? fields.key : id };
          const reason = new Error(`left ${id}`);
          if (leaves) void scheduler.schedule(Promise.resolve()).then(() => leaving.abort(reason));
          await scheduler.schedule(Promise.resolve());
          came.push(item);
          const outcome = await coalescer.add(item, leaving.signal).catch((error: Error) => error.message);
          return { item, outcome };
        });
        for (const { item, outcome } of await scheduler.waitFor(Promise.all(outcomes)))
          expect(outcomesOf(item, attempts, awayAt)).toContain(outcome);
        await scheduler.waitFor(coalescer.idle());

        // Nobody is overtaken by another of its group (of its key, where keys are shared).
        const started = [...new Set(attempts.flatMap(({ items }) => items))];
        const turnOf = ({ group, key }: Item) => (sharesKeys ? `${group} ${key}` : `${group}`);
        const inTurn = (items: readonly Item[]) => Map.groupBy(items, turnOf);
        expect(inTurn(started)).toEqual(inTurn(came.filter((item) => started.includes(item))));
        // What was not refused is not repeated; what was, is tried once more, by itself.
        for (const number of awayAt)
          for (const item of attempts[number]?.items ?? [])
            expect(attempts.slice(number + 1).some(({ items }) => items.includes(item))).toBe(false);
        for (const item of started) {
          const [, ...again] = attempts.filter(({ items }) => items.includes(item));
          expect(again.length).toBeLessThanOrEqual(1);
          expect(again.every(({ items }) => items.length === 1)).toBe(true);
        }
      },
    ),
    { numRuns: 100 },
  );
});

/** Letters, each a key of its own; work goes on when it is told to. */
function open(options: Partial<CoalescerOptions<string, string>> = {}) {
  const batches: string[][] = [];
  const answers: { give(): void; fail(error: Error): void }[] = [];
  const coalescer = new Coalescer<string, string>({
    most: 3,
    atOnce: 1,
    key: (item) => item[0],
    work(items) {
      batches.push([...items]);
      return new Promise((resolve, reject) =>
        answers.push({ give: () => resolve(items.map((item) => `${item}!`)), fail: reject }),
      );
    },
    isOfOne: (error) => error instanceof Refused,
    ...options,
  });
  const add = (...items: string[]) => Promise.allSettled(items.map((item) => coalescer.add(item)));
  /** Each in a turn of its own. */
  const addInTurns = async (...items: string[]) => {
    const outcomes: ReturnType<typeof add>[] = [];
    for (const item of items) {
      outcomes.push(add(item));
      await nextTurn();
    }
    return { outcomes: Promise.all(outcomes).then((all) => all.flat()) };
  };
  /** Answers everything, one after the other, until nothing is left. */
  const answerAll = async () => {
    const isIdle = coalescer.idle().then(() => true);
    do for (const answer of answers.splice(0)) answer.give();
    while (!(await Promise.race([isIdle, new Promise((resolve) => setImmediate(resolve, false))])));
  };
  return { coalescer, batches, answers, add, addInTurns, answerAll };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const done = (value: string) => ({ status: 'fulfilled', value });
const failed = (reason: unknown) => ({ status: 'rejected', reason });

describe('a batch', () => {
  test('starts at the end of the turn where its group is idle; what comes meanwhile goes together, so many at a time', async () => {
    const { batches, addInTurns, answerAll } = open();
    const { outcomes } = await addInTurns('a', 'b', 'c', 'd', 'e');
    expect(batches).toEqual([['a']]);
    await answerAll();
    expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
    expect(await outcomes).toEqual(['a!', 'b!', 'c!', 'd!', 'e!'].map(done));
  });

  test('holds all that came in one turn of the event loop', async () => {
    const { batches, add, answerAll } = open();
    const outcomes = add('a', 'b');
    expect(batches).toEqual([]);
    await answerAll();
    expect(batches).toEqual([['a', 'b']]);
    expect(await outcomes).toEqual(['a!', 'b!'].map(done));
  });

  test('never holds two of one key, also of those under way; others go past them', async () => {
    const { batches, answers, add, addInTurns, answerAll } = open({ atOnce: 2 });
    await addInTurns('a1', 'a2', 'a3', 'b1');
    expect(batches).toEqual([['a1'], ['b1']]);
    answers[1]?.give();
    await add().then(() => expect(batches).toHaveLength(2));
    await answerAll();
    expect(batches.slice(2)).toEqual([['a2'], ['a3']]);
  });

  test('of another group does not wait', async () => {
    const { batches, addInTurns, answerAll } = open({ group: (item) => item[1] });
    await addInTurns('a1', 'b1', 'c2', 'd1');
    expect(batches).toEqual([['a1'], ['c2']]);
    await answerAll();
    expect(batches.slice(2)).toEqual([['b1', 'd1']]);
  });
});

describe('who waits', () => {
  test('may be so many in a group; the next is turned away, until one has left', async () => {
    const { coalescer, batches, add, answerAll } = open({ maxWaiting: 2 });
    const leaving = new AbortController();
    const leave = (item: string) => Promise.allSettled([coalescer.add(item, leaving.signal)]);
    const first = leave('a');
    await nextTurn();
    const left = Promise.all([first, leave('b')]).then((all) => all.flat());
    const waits = add('c', 'd');
    expect((await add('e')).map(({ status }) => status)).toEqual(['rejected']);
    await expect(coalescer.add('e')).rejects.toBeInstanceOf(TooManyWaitersError);
    leaving.abort(new Error('gone'));
    const inTheirPlace = add('f');
    await answerAll();
    expect(await left).toEqual([failed(leaving.signal.reason), failed(leaving.signal.reason)]);
    expect([...(await waits), ...(await inTheirPlace)]).toEqual([
      done('c!'),
      failed(expect.any(TooManyWaitersError)),
      done('f!'),
    ]);
    expect(batches).toEqual([['a'], ['c', 'f']]);
  });

  test('and had left before is not heard', async () => {
    const { coalescer, batches } = open();
    const reason = new Error('gone');
    await expect(coalescer.add('a', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(batches).toEqual([]);
    await coalescer.idle();
  });
});

describe('a failure', () => {
  test('that is not of one item ends a batch that is tried one by one, too', async () => {
    const { batches, answers, addInTurns, answerAll } = open({ most: 4 });
    const [away, refused] = [new Error('away'), new Refused()];
    const { outcomes } = await addInTurns('a', 'b', 'c', 'd', 'e', 'f');
    const next = async (at: number) => {
      await expect.poll(() => answers.length).toBe(at + 1);
      return answers[at];
    };
    (await next(0))?.give();
    (await next(1))?.fail(refused);
    (await next(2))?.give();
    (await next(3))?.fail(away);
    await next(4);
    await answerAll();
    expect(batches).toEqual([['a'], ['b', 'c', 'd', 'e'], ['b'], ['c'], ['f']]);
    expect(await outcomes).toEqual([
      done('a!'),
      done('b!'),
      failed(away),
      failed(away),
      failed(away),
      done('f!'),
    ]);
  });
});
