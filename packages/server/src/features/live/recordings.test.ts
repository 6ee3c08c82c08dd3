/** What becomes of an engine's files, whatever happens meanwhile. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import type { Recordings } from './recordings.ts';
import { ENGINE, useLive } from './testing.ts';

const databases = useDatabases();
const live = useLive(databases);

async function processAll(recordings: Recordings, slots: number): Promise<number> {
  const rows = await recordings.claim(ENGINE, slots, live.lease);
  for (const row of rows) await recordings.process(row, live.lease);
  return rows.length;
}

test('recordings of a namespace that is gone are removed, and hold up nobody else’s', async () => {
  const [gone, stream] = [await live.stream(), await live.stream()];
  const recordings = live.recordings();
  for (const second of [1, 2]) await recordings.recorded(ENGINE, await live.record(gone, second));
  await live.removeStream(gone);
  await recordings.recorded(ENGINE, await live.record(stream, 3));
  // As many of the gone one as there are slots come first.
  while ((await processAll(recordings, 2)) > 0);
  expect(await live.keysOf(stream)).toHaveLength(1);
  expect(await live.told(stream)).toMatchObject([{ type: 'record', code: 0 }]);
  expect(await live.keysOf(gone)).toEqual([]);
  expect(await live.told(gone)).toEqual([]);
  expect(await readdir(live.folder)).toEqual([]);
  const { rows } = await databases.region.pool.query('SELECT ns_id FROM region.live_records');
  expect(rows).toEqual([{ ns_id: stream.nsId }]);
});
