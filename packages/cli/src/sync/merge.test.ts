/** The merged lists and what is decided of them, held against a model that has both in memory. */
import type { ListedObject } from '@millpond/client/server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SyncPlanner } from './decide.ts';
import type { Entry, ObjectEntry } from './entry.ts';
import { merged } from './merge.ts';
import { compareKeys } from './order.ts';

const names = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', '0', '\ufffd', '𝄞', '\ue000', 'é'), maxLength: 5 }),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const tree = fc.dictionary(names, fc.record({ size: fc.integer({ min: 0, max: 2 }), text: fc.nat(2) }));
type Tree = Readonly<Record<string, { size: number; text: number }>>;

function objectOf(name: string, { size, text }: Tree[string]): ObjectEntry {
  return {
    kind: 'object',
    name,
    size,
    object: { key: name, fsize: size, hash: String(text) } as ListedObject,
  };
}

async function* listOf(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries.toSorted((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
}

function entriesOf(all: Tree): Entry[] {
  return Object.entries(all).map(([name, content]) => objectOf(name, content));
}

function mapOf(all: Tree): Map<string, string> {
  return new Map(Object.entries(all).map(([name, { size, text }]) => [name, `${size} ${text}`]));
}

test('the order is that of the bytes', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other));
      expect(Math.sign(compareKeys(one, other))).toBe(bytes);
    }),
    { numRuns: 2000 },
  );
});

test('what is decided makes the target what the source is, and touches nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (source, target) => {
      const [wanted, there] = [mapOf(source), mapOf(target)];
      const touched: string[] = [];
      const syncPlanner = new SyncPlanner({ keepMarkers: false });
      for await (const pair of merged(listOf(entriesOf(source)), listOf(entriesOf(target)))) {
        const decision = syncPlanner.decide(pair);
        if (decision.act === 'keep' || decision.act === 'leaveOut') throw new Error(decision.act);
        const { name } = decision.act === 'delete' ? decision.target : decision.source;
        touched.push(name);
        if (decision.act === 'delete') there.delete(name);
        else if (decision.act === 'copy' || there.get(name) !== wanted.get(name)) {
          // Sizes differ, or it was not there: else contents are looked at.
          if (decision.act === 'copy') expect(there.get(name)?.[0]).not.toBe(wanted.get(name)?.[0]);
          there.set(name, wanted.get(name) ?? '');
        }
      }
      expect(there).toEqual(wanted);
      // Each name once.
      expect(new Set(touched).size).toBe(touched.length);
    }),
    { numRuns: 500 },
  );
});

test('what is left out at either end is neither copied, replaced nor deleted, and so is all below it', async () => {
  const covers = fc.uniqueArray(fc.constantFrom('a/', 'b/', 'a', 'b', 'a/b/', '-'), { maxLength: 3 });
  const outOf = (name: string, cover: readonly string[]) =>
    cover.some((each) => (each.endsWith('/') ? name.startsWith(each) : name === each));
  await fc.assert(
    fc.asyncProperty(tree, tree, covers, covers, async (source, target, left, right) => {
      const leftOut = (name: string): Entry => ({ kind: 'leftOut', name, path: name, reason: 'r' });
      // A walk lists nothing below what it leaves out, and no two of one name.
      const list = (all: Tree, cover: readonly string[]) => {
        const kept = cover.filter(
          (each) =>
            !outOf(
              each,
              cover.filter((other) => other !== each),
            ),
        );
        return listOf([...kept.map(leftOut), ...entriesOf(all).filter(({ name }) => !outOf(name, kept))]);
      };
      const syncPlanner = new SyncPlanner({ keepMarkers: false });
      for await (const pair of merged(list(source, left), list(target, right))) {
        const decision = syncPlanner.decide(pair);
        if (decision.act === 'delete') expect(outOf(decision.target.name, left)).toBe(false);
        if (decision.act === 'copy' || decision.act === 'compare')
          expect(outOf(decision.source.name, right)).toBe(false);
      }
    }),
    { numRuns: 1000 },
  );
});

test('no more than one entry of each list is read ahead', async () => {
  const read = { source: 0, target: 0 };
  async function* numbers(side: 'source' | 'target', step: number): AsyncGenerator<Entry> {
    for (let n = 0; n < 3000; n += step) {
      read[side]++;
      yield objectOf(String(n).padStart(6, '0'), { size: 0, text: 0 });
    }
  }
  const given = { source: 0, target: 0 };
  for await (const { source, target } of merged(numbers('source', 1), numbers('target', 3))) {
    if (source !== undefined) given.source++;
    if (target !== undefined) given.target++;
    expect(read.source - given.source).toBeLessThanOrEqual(1);
    expect(read.target - given.target).toBeLessThanOrEqual(1);
  }
  expect(given).toEqual({ source: 3000, target: 1000 });
});

test('a list that is not in order, or names something twice, ends the work', async () => {
  for (const wrong of [
    ['b', 'a'],
    ['a', 'a'],
  ]) {
    const list = async function* () {
      for (const name of wrong) yield objectOf(name, { size: 0, text: 0 });
    };
    const all = async () => {
      for await (const _ of merged(list(), listOf([])));
    };
    await expect(all()).rejects.toThrow('not in order');
  }
});

test('a list that fails ends the work, and closes the other', async () => {
  let isClosed = false;
  const failing = async function* (): AsyncGenerator<Entry> {
    yield objectOf('a', { size: 0, text: 0 });
    throw new Error('cut off');
  };
  const other = async function* (): AsyncGenerator<Entry> {
    try {
      for (let n = 0; ; n++) yield objectOf(`b${String(n).padStart(9, '0')}`, { size: 0, text: 0 });
    } finally {
      isClosed = true;
    }
  };
  const all = async () => {
    for await (const _ of merged(failing(), other()));
  };
  await expect(all()).rejects.toThrow('cut off');
  expect(isClosed).toBe(true);
});
