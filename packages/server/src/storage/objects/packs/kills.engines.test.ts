/**
 * kill -9 at every step of packing and compaction: nothing is lost or torn, and no orphan outlives the sweep. Each kill hits a
 * process of its own. MILLPOND_TEST_KILLS says how many there are of each kind; CI has one at each step.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { openLog } from '@millpond/base';
import { createDatabase, createRandom, type TestDatabase } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { storeNames, useBlobs } from '../../../../test/blobs.ts';
import { Database } from '../../../platform/db/database.ts';
import { compactSteps, packSteps, type Step } from './testing/dying.ts';
import type { ChildOrder } from './testing/packer-child.ts';
import { BUCKET, type SmallHouse, smallHouse } from './testing/small-house.ts';

const KIB = 1024;
const OBJECTS = 12;
const never = new AbortController().signal;
const kills = Number(process.env.MILLPOND_TEST_KILLS ?? 0);
const random = createRandom(process.env.MILLPOND_TEST_SEED ?? 'kills of the packer');

// CI has them on the engine that takes longest to answer.
const stores = kills > 0 ? storeNames : storeNames.slice(0, 1);
describe.each(stores)('on the %s store', (name) => {
  const engine = useBlobs(name);
  let copy: TestDatabase;
  let region: Database;
  let house: SmallHouse;

  beforeAll(async () => {
    copy = await createDatabase('region', inject('templates').region);
    const options = { connections: 8, timeoutMs: 15_000, applicationName: 'test', log: openLog('silent') };
    region = new Database({ url: copy.url, ...options });
    await region.pool.query(`INSERT INTO region.bucket_gate VALUES (${BUCKET}, 'open')`);
    house = smallHouse(region, engine.store);
  });
  afterAll(async () => {
    await region?.close();
    await copy?.drop();
  });

  const contents = new Map<string, Buffer>();
  /** Every other one is large, so that packs without those have holes that are worth closing. */
  async function write(n: number): Promise<void> {
    const key = `object ${n}`;
    const size = n % 2 === 0 ? random.integer(2 * KIB, 4 * KIB) : random.integer(0, 2 * KIB);
    const bytes = Buffer.alloc(size, `${key} ${random.integer(0, 1e9)} `);
    await house.putSmall(key, bytes);
    contents.set(key, bytes);
  }
  async function expectAll(): Promise<void> {
    for (const [key, bytes] of contents) expect((await house.read(key))?.equals(bytes), key).toBe(true);
  }
  async function killedAt(step: Step, work: ChildOrder['work'], after: number): Promise<void> {
    const order: ChildOrder = { url: copy.url, engine: engine.place, step, after, packBytes: 16 * KIB, work };
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'testing/packer-child.ts'), JSON.stringify(order)],
      { stdio: 'inherit' },
    );
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    // 3: it has fewer steps than that.
    expect([code, signal]).toEqual(
      after === 0 ? [null, 'SIGKILL'] : expect.toSatisfy(() => code === 3 || signal === 'SIGKILL'),
    );
  }
  /** What is in the engine, and what the rows say is there. */
  async function expectNoOrphans(): Promise<void> {
    await house.sweep();
    const { rows } = await region.pool.query(
      'SELECT pack_id AS id FROM region.packs UNION SELECT blob_id FROM region.trash',
    );
    const named = new Set(rows.map(({ id }: { id: string }) => id));
    expect((await house.stored()).filter((id) => !named.has(id))).toEqual([]);
    const counts = await region.pool.query(
      `SELECT FROM region.packs k, LATERAL (SELECT count(*) AS blobs, coalesce(sum(p.size), 0) AS bytes
         FROM region.packed p WHERE p.pack = k.pack) AS found WHERE (live_blobs, live_bytes) <> (blobs, bytes)`,
    );
    expect(counts.rowCount).toBe(0);
  }

  async function runPacking(step: Step, after: number): Promise<void> {
    for (let n = 0; n < OBJECTS; n++) await write(n);
    await killedAt(step, 'pack', after);
    await expectAll();
    await house.sweep();
    await expectAll();
    await house.packer().run(never);
    await expectAll();
    await expectNoOrphans();
    expect((await region.pool.query('SELECT FROM region.inbox')).rowCount).toBe(0);
  }

  async function runCompaction(step: Step, after: number): Promise<void> {
    for (let n = 0; n < OBJECTS; n++) await write(n);
    await house.packer({ packBytes: 16 * KIB }).run(never);
    for (let n = 0; n < OBJECTS; n += 2) {
      await house.remove(`object ${n}`);
      contents.delete(`object ${n}`);
    }
    await house.collector().collect(never);
    await killedAt(step, 'compact', after);
    await expectAll();
    await house.sweep();
    await house.compactor().run(never);
    await house.collector().collect(never);
    await expectAll();
    await expectNoOrphans();
  }

  test.each(packSteps)('a packer killed at: %s', (step) => runPacking(step, 0));
  test.each(compactSteps)('a compactor killed at: %s', (step) => runCompaction(step, 0));

  test.runIf(kills > 0)(`and ${kills} times more of each`, { timeout: 3_600_000 }, async () => {
    for (let kill = 0; kill < kills; kill++) {
      await runPacking(random.pick(packSteps), random.integer(0, 2));
      await runCompaction(random.pick(compactSteps), random.integer(0, 1));
    }
  });
});
