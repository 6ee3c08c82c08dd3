/** What becomes of an engine's files, whatever happens meanwhile. */
import { readdir } from 'node:fs/promises';
import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { Results } from '../../../media/processing/processing.testing.ts';
import { withoutSmallBlobs } from '../../../platform/small-blobs/small-blobs.testing.ts';
import { Collector, TrashStore } from '../../../storage/objects/objects.testing.ts';
import { TemplateStore } from '../namespaces/template.store.ts';
import { ENGINE, useLive } from '../streams.testing.ts';
import { RecordStore } from './recordings.store.ts';
import type { Recordings } from './recordings.ts';

const databases = useDatabases();
const live = useLive(databases);

async function processAll(recordings: Recordings, slots: number): Promise<number> {
  const rows = await recordings.claim(ENGINE, slots, [], live.lease);
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

test('a recording whose name another file takes at that moment is kept under the next one, with its bytes', async () => {
  const stream = await live.stream();
  const collector = new Collector(new TrashStore(databases.region), live.blobs, {
    trashGraceMs: 86_400_000,
    sweepAgeMs: 86_400_000,
  });
  /** Somebody else is faster, and then the collector comes, which it does every minute. */
  class OvertakenResults extends Results {
    #isFirst = true;

    override async commit(...given: Parameters<Results['commit']>): ReturnType<Results['commit']> {
      const [, place, overwrite] = given;
      if (this.#isFirst) {
        this.#isFirst = false;
        const other = await super.store(import.meta.filename, 'video/mp4', live.lease.signal);
        await super.commit(other, place, overwrite, async () => undefined);
      }
      const committed = await super.commit(...given);
      await collector.collect(live.lease.signal);
      return committed;
    }
  }
  const results = new OvertakenResults({ objects: live.objects, blobs: withoutSmallBlobs(live.blobs) });
  const recordings = live.recordings({ results });
  await recordings.recorded(ENGINE, await live.record(stream, 1));
  await processAll(recordings, 1);
  const keys = await live.keysOf(stream);
  expect(keys).toHaveLength(2);
  expect(await live.told(stream)).toMatchObject([{ type: 'record', code: 0, fname: keys[1] }]);
  const bucket = await live.buckets.byName(stream.bucket);
  for (const key of keys) {
    const object = bucket && (await live.objects.find(bucket, key));
    expect(object && (await live.blobs.stat(object.blob_id))).toBeDefined();
  }
});

test('a recording is taken up again when not even its failure could be written', async () => {
  const stream = await live.stream();
  const away = async () => {
    throw new Fault('serverFailure', { detail: 'database: connection' });
  };
  class AwayTemplates extends TemplateStore {
    override find = away;
  }
  class AwayRecords extends RecordStore {
    override postpone = away;
  }
  const { region } = databases;
  const failing = live.recordings({ store: new AwayRecords(region), templates: new AwayTemplates(region) });
  await failing.recorded(ENGINE, await live.record(stream, 1));
  const [row] = await failing.claim(ENGINE, 1, [], live.lease);
  const id = row?.record_id ?? '';
  if (row !== undefined) await failing.process(row, live.lease);
  const recordings = live.recordings();
  // Not over and over, and not while it is under way.
  expect(await recordings.claim(ENGINE, 1, [], live.lease)).toEqual([]);
  await region.pool.query('UPDATE region.live_records SET due_at = now() WHERE record_id = $1', [id]);
  expect(await recordings.claim(ENGINE, 1, [id], live.lease)).toEqual([]);
  expect(await processAll(recordings, 1)).toBe(1);
  expect(await live.keysOf(stream)).toHaveLength(1);
  expect(await live.told(stream)).toMatchObject([{ type: 'record', code: 0 }]);
});
