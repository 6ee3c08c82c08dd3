import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newBlobId } from './blob-id.ts';
import { createDiskBlobStore } from './disk/store.ts';
import { collectingSink } from './testing/sinks.ts';
import { engineTimer, measuredBlobs } from './timed-store.ts';

test('each call is counted once, by what came of it, and does what it did', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'measured-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const timer = engineTimer();
  const store = measuredBlobs(createDiskBlobStore({ root }), timer);
  await store.ensureReady();
  const [put, written] = [newBlobId(), newBlobId()];
  await store.put(put, [Buffer.from('put')], { tier: 'STANDARD' });
  const writer = store.openWriter(written, { tier: 'STANDARD' });
  await writer.write(Buffer.from('written'));
  await writer.finish();
  const sink = collectingSink();
  await store.read(written, { offset: 0, length: 7 }, sink);
  expect(sink.bytes().toString()).toBe('written');
  await expect(store.readAll(newBlobId(), 10)).rejects.toThrow();
  const signal = AbortSignal.abort(new Error('left'));
  await expect(store.put(newBlobId(), [Buffer.from('x')], { tier: 'STANDARD', signal })).rejects.toThrow(
    'left',
  );
  await store.remove([put, written]);
  await store.close();
  const counts = timer.samples().filter(({ suffix }) => suffix === '_count');
  expect(
    counts.map(({ labels: { operation, outcome }, value }) => `${operation} ${outcome} ${value}`),
  ).toEqual(['put ok 1', 'write ok 1', 'read ok 1', 'read missing 1', 'put cancelled 1', 'remove ok 1']);
});
