/**
 * A pseudo-random number generator with a text seed: the same seed gives the same plan of load and faults. Clients take
 * their own forks, so what one of them draws does not depend on how the others are scheduled.
 */
import { hash, randomBytes } from 'node:crypto';

export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** An integer from `least` to `most`, inclusive. */
  integer(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  /** A separate generator, determined only by this one's seed and the name. */
  fork(name: string): Random;
}

export function createRandom(seed: string): Random {
  const digest = hash('sha256', seed, 'buffer');
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];

  // sfc32: small, fast, and good enough to spread faults.
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));

  return {
    next,
    integer,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new RangeError('nothing to pick from');
      return from[integer(0, from.length - 1)] as T;
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}

/** A generator for a test. Its seed is printed: MILLPOND_TEST_SEED repeats the same run. */
export function testRandom(): Random {
  const seed = process.env.MILLPOND_TEST_SEED ?? randomBytes(4).toString('hex');
  console.info(`MILLPOND_TEST_SEED=${seed}`);
  return createRandom(seed);
}
