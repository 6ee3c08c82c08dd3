/** Means of minutes, as the owner of an engine writes them and a call reads them. */
import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import type { Engine } from '../engines/index.ts';
import type { EngineState } from '../engines/nginx-stat.ts';
import { IngestStore } from './ingest.store.ts';
import { IngestRecorder, IngestStats } from './ingest.ts';

const databases = useDatabases();
const STREAM = { nsId: 'abcdefghij12', streamId: 'gate' };
const NAME = `${STREAM.nsId}_${STREAM.streamId}`;
const heard = (bitrate: number, name = NAME): EngineState => ({
  boot: '1',
  publishers: [],
  ingests: [{ name, bitrate, video: bitrate / 2, audio: 100, fps: 25, videoCodec: 'H264' }],
});
const engine = (state: () => Promise<EngineState>) =>
  ({ id: 'main', client: { state } }) as Partial<Engine> as Engine;

test('what comes in now, and the mean of each minute for an hour', async () => {
  const store = new IngestStore(databases.region);
  const minutes = new IngestRecorder(store);
  for (const bitrate of [1000, 2000, 6000]) await minutes.add(heard(bitrate));
  await minutes.add(heard(1, 'no name of ours'));
  await minutes.write();
  const ingests = new IngestStats(store, [engine(async () => heard(5000))]);
  const told = await ingests.get(STREAM, 'main');
  expect(told).toEqual({
    now: { bitrate: 5000, video: 2500, audio: 100, fps: 25, videoCodec: 'H264' },
    minutes: [{ at: expect.any(String), bitrate: 3000, video: 1500, audio: 100 }],
  });
  // Nothing heard is nothing written.
  await minutes.write();
  await databases.region.pool.query(`UPDATE region.live_minutes SET at = at - interval '2 hours'`);
  await minutes.add(heard(7000));
  await minutes.write();
  expect((await ingests.get(STREAM, undefined)).minutes).toMatchObject([{ bitrate: 7000 }]);
  expect((await databases.region.pool.query('SELECT FROM region.live_minutes')).rowCount).toBe(1);
});

test('an engine that does not answer leaves what was kept', async () => {
  const away = new IngestStats(new IngestStore(databases.region), [
    engine(() => Promise.reject(new Error('away'))),
  ]);
  expect((await away.get(STREAM, 'main')).now).toBeUndefined();
  expect((await away.get({ ...STREAM, streamId: 'other' }, undefined)).minutes).toEqual([]);
});
