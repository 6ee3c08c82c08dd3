/** Many objects in little time, as a user makes them: a few uploads, and batch copies of them. */
import { formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { uploadObjects } from '../benches/get.ts';
import { withClient } from '../database.ts';
import { type Keys, keysOf, tidy } from '../fill.ts';
import type { Stage } from '../stage.ts';

const PER_BATCH = 250;
/** Each copies its own object: lanes that copy the same one wait for each other. */
const LANES = 4;
const BYTES = 16;

/** About this many in all buckets together. */
export async function copyObjects(stage: Stage, count: number): Promise<Keys> {
  const { buckets } = stage;
  const keys = keysOf(Math.ceil(count / buckets.length));
  const batches = targetsOf(buckets, keys);
  const lane = async (target: string) => {
    const [, bucket = '', ...key] = target.split('/');
    const source = formatEntry(bucket, key.join('/'));
    for (const targets of batches)
      await batch(stage, targets.map((copy) => `op=/copy/${source}/${copy}`).join('&'));
  };
  await Promise.all((await uploadObjects(stage, LANES, BYTES)).map(lane));
  await withClient(stage.regionDb, tidy);
  return keys;
}

function* targetsOf(buckets: readonly string[], keys: Keys): Generator<string[]> {
  for (const bucket of buckets)
    for (let from = 0; from < keys.rowsPerBucket; from += PER_BATCH) {
      const length = Math.min(PER_BATCH, keys.rowsPerBucket - from);
      yield Array.from({ length }, (_, n) => formatEntry(bucket, keys.keyAt(from + n)));
    }
}

async function batch({ server, account }: Stage, body: string): Promise<void> {
  const answer = await signedFetch(server.url, account, '/batch', { body });
  // 298: some were refused.
  if (answer.status !== 200) throw new Error(`copying objects: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}
