/** Many objects in little time, as a user makes them: one upload, and copies of it by batch. */
import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import pg from 'pg';
import { uploadObjects } from '../benches/get.ts';
import { type Keys, keysOf, tidy } from '../fill.ts';
import type { Stage } from '../stage.ts';

const PER_BATCH = 1000;
const BYTES = 16;

/** About so many in all buckets together. */
export async function copyObjects(stage: Stage, count: number): Promise<Keys> {
  const { buckets } = stage;
  const keys = keysOf(Math.ceil(count / buckets.length));
  const [target = ''] = await uploadObjects(stage, 1, BYTES);
  const [, sourceBucket = '', ...sourceKey] = target.split('/');
  const source = formatEntry(sourceBucket, sourceKey.join('/'));
  for (const bucket of buckets)
    for (let from = 0; from < keys.rowsPerBucket; from += PER_BATCH) {
      const length = Math.min(PER_BATCH, keys.rowsPerBucket - from);
      const copies = Array.from({ length }, (_, n) => formatEntry(bucket, keys.keyAt(from + n)));
      await batch(stage, copies.map((copy) => `op=/copy/${source}/${copy}`).join('&'));
    }
  await tidyUp(stage.regionDb);
  return keys;
}

async function batch({ server, account }: Stage, body: string): Promise<void> {
  const answer = await signedFetch(server.url, account, '/batch', { body });
  // 298: some were refused.
  if (answer.status !== 200) throw new Error(`copying objects: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function tidyUp(regionDb: string): Promise<void> {
  const client = new pg.Client({ connectionString: regionDb });
  await client.connect();
  try {
    await tidy(client);
  } finally {
    await client.end();
  }
}
