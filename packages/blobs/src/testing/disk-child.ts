/** A process that writes blobs to a disk store until it is killed, or until the disk is full. For tests. */
import { newBlobId } from '../blob-id.ts';
import { createDiskBlobStore } from '../disk/store.ts';
import { BlobStoreUnavailableError } from '../errors.ts';
import { pattern, writeInChunks } from './sinks.ts';

const [root = '', mode = ''] = process.argv.slice(2);
const store = createDiskBlobStore({ root });
await store.ensureReady();

/** Every blob states its length in its first four bytes and holds the pattern of that length. */
function selfDescribing(length: number): Buffer {
  const bytes = pattern(length, length);
  bytes.writeUInt32LE(length);
  return bytes;
}

if (mode === 'until-killed') {
  const worker = async (slot: number): Promise<never> => {
    for (let count = 0; ; count++) {
      const id = newBlobId();
      const bytes = selfDescribing(4 + ((count * 7919 + slot * 104_729) % 700_000));
      if (count % 2) await store.put(id, [bytes], { tier: 'STANDARD' });
      else {
        const writer = store.openWriter(id, { tier: 'STANDARD' });
        await writeInChunks(writer, bytes, 50_000);
        await writer.finish();
      }
      process.stdout.write(`${id} ${bytes.length}\n`);
    }
  };
  await Promise.all([1, 2, 3, 4].map(worker));
} else if (mode === 'until-full') {
  const outcomes: string[] = [];
  const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      outcomes.push(`${name}: written`);
    } catch (error) {
      const retryable = error instanceof BlobStoreUnavailableError && error.retryable;
      outcomes.push(`${name}: ${error instanceof Error ? error.message : ''}, retryable ${retryable}`);
    }
  };
  await attempt('small', () => store.put(newBlobId(), [pattern(1000)], { tier: 'STANDARD' }));
  await attempt('put', () => store.put(newBlobId(), [pattern(8_000_000)], { tier: 'STANDARD' }));
  await attempt('writer', async () => {
    const writer = store.openWriter(newBlobId(), { tier: 'STANDARD' });
    await writeInChunks(writer, pattern(8_000_000), 100_000);
    await writer.finish();
  });
  await attempt('small again', () => store.put(newBlobId(), [pattern(1000)], { tier: 'STANDARD' }));
  let blobs = 0;
  for (const hour of await store.listHours()) for await (const page of store.list(hour)) blobs += page.length;
  outcomes.push(
    `blobs: ${blobs}`,
    `temporary files: ${await store.abortStale(new Date(Date.now() + 60_000))}`,
  );
  process.stdout.write(outcomes.join('\n'));
}
