import { describe, expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

/** Work that ends when it is told to, and says whether it was given up. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const runs: AbortSignal[] = [];
  const run = (signal: AbortSignal): Promise<void> => {
    runs.push(signal);
    return promise;
  };
  return { run, runs, resolve, reject };
}

const never = (): AbortSignal => new AbortController().signal;

describe('who asks for the same at the same time', () => {
  test('shares one run, and its end', async () => {
    const [flights, one] = [new SingleFlight(), work()];
    const joined = Array.from({ length: 20 }, () => flights.join('a', never(), one.run));
    expect(one.runs).toHaveLength(1);
    one.resolve();
    await Promise.all(joined);
  });

  test('shares its failure', async () => {
    const [flights, one] = [new SingleFlight(), work()];
    const joined = Array.from({ length: 3 }, () => flights.join('a', never(), one.run));
    one.reject(new Error('no'));
    for (const end of await Promise.allSettled(joined)) expect(end.status).toBe('rejected');
  });

  test('has nothing to do with other names, nor with what is over', async () => {
    const flights = new SingleFlight();
    const [one, two, three] = [work(), work(), work()];
    const first = flights.join('a', never(), one.run);
    void flights.join('b', never(), two.run);
    one.resolve();
    await first;
    void flights.join('a', never(), three.run);
    expect([one.runs.length, two.runs.length, three.runs.length]).toEqual([1, 1, 1]);
  });
});

describe('who leaves', () => {
  test('takes nothing from the others; the last one ends the work', async () => {
    const [flights, one] = [new SingleFlight(), work()];
    const [first, second] = [new AbortController(), new AbortController()];
    const joined = [first, second].map(({ signal }) => flights.join('a', signal, one.run));
    first.abort(new Error('gone'));
    await expect(joined[0]).rejects.toThrow('gone');
    expect(one.runs[0]?.aborted).toBe(false);
    second.abort(new Error('gone too'));
    await expect(joined[1]).rejects.toThrow('gone too');
    expect(one.runs[0]?.aborted).toBe(true);
  });

  test('leaves a newcomer a run of its own', async () => {
    const [flights, one, two] = [new SingleFlight(), work(), work()];
    const leaving = new AbortController();
    const left = flights.join('a', leaving.signal, one.run);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const stayed = flights.join('a', never(), two.run);
    // What was given up may end whenever it likes.
    one.reject(new Error('given up'));
    two.resolve();
    await stayed;
    expect(two.runs[0]?.aborted).toBe(false);
  });

  test('before it came starts nothing', async () => {
    const [flights, one] = [new SingleFlight(), work()];
    await expect(flights.join('a', AbortSignal.abort(new Error('gone')), one.run)).rejects.toThrow('gone');
    expect(one.runs).toEqual([]);
  });
});
