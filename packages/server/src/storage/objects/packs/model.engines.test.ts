/**
 * Random sequences of everything that happens to small objects, against a model that is a map: after every step each object
 * has exactly its bytes, and at the end nothing else is left. A failure shrinks to its shortest sequence.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { useBlobs } from '../../../../test/blobs.ts';
import { useDatabases } from '../../../../test/databases.ts';
import { BUCKET, type SmallHouse, smallHouse } from './testing/small-house.ts';

const RUNS = Number(process.env.MILLPOND_TEST_RUNS ?? 30);
const never = new AbortController().signal;
const keys = ['a', 'b', 'c', 'd'] as const;
const key = fc.constantFrom(...keys);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('put small' as const, 'put large' as const, 'put late' as const),
      key,
      size: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 })),
      slot: fc.nat(7),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy' as const), key, to: key }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('pack' as const, 'collect' as const, 'compact' as const, 'sweep' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const databases = useDatabases();
const engine = useBlobs('disk');
let house: SmallHouse;

beforeAll(async () => {
  await databases.region.pool.query(`INSERT INTO region.bucket_gate VALUES (${BUCKET}, 'open')`);
  house = smallHouse(databases.region, engine.store);
});

let made = 0;
async function apply(each: Step, model: Map<string, Buffer>): Promise<void> {
  switch (each.kind) {
    case 'put small':
    case 'put large':
    case 'put late': {
      const bytes = Buffer.alloc(each.size, `${made++} `);
      if (each.kind === 'put small') await house.putSmall(each.key, bytes);
      // Into a slot that may have been closed, packed or emptied long ago.
      else await house.put(each.key, bytes, each.kind === 'put late' ? each.slot : undefined);
      model.set(each.key, bytes);
      return;
    }
    case 'delete':
      await house.remove(each.key);
      model.delete(each.key);
      return;
    case 'copy': {
      const from = model.get(each.key);
      if (from === undefined || each.to === each.key) return;
      await house.copy(each.key, each.to);
      model.set(each.to, from);
      return;
    }
    case 'pack':
      await house.packer({ packBytes: 4096 }).run(never);
      return;
    case 'collect':
      await house.collector().collect(never);
      return;
    case 'compact':
      await house.compactor().run(never);
      return;
    case 'sweep':
      await house.sweep();
  }
}

async function expectModel(model: ReadonlyMap<string, Buffer>): Promise<void> {
  for (const each of keys) {
    const [found, held] = [await house.read(each), model.get(each)];
    if (held === undefined) expect(found, each).toBeUndefined();
    else expect(found?.equals(held), each).toBe(true);
  }
}

/** Everything is deleted, and whatever works in the background gets its turn. */
async function clear(): Promise<void> {
  for (const each of keys) await house.remove(each);
  await house.packer().run(never);
  await house.collector().collect(never);
  await house.compactor().run(never);
  await house.collector().collect(never);
}

test(`${RUNS} sequences: every object has its bytes after each step, and nothing is left of those that are gone`, {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const model = new Map<string, Buffer>();
      try {
        for (const each of steps) {
          await apply(each, model);
          await expectModel(model);
        }
      } finally {
        await clear();
      }
      const { rows } = await databases.region.pool.query(
        `SELECT (SELECT count(*) FROM region.packs)::int AS packs, (SELECT count(*) FROM region.packed)::int AS places,
                (SELECT count(*) FROM region.inbox)::int AS waiting, (SELECT count(*) FROM region.trash)::int AS trash`,
      );
      expect(rows).toEqual([{ packs: 0, places: 0, waiting: 0, trash: 0 }]);
      expect(await house.stored()).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});
