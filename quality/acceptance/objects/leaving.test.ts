/** Clients that leave while their batch or their list waits for the database. */
import { formatEntry } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  openRegionDatabase,
  type RegionDatabase,
  signedFetch,
  stat,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { target } from '../support/target.ts';

const BUCKET = 'leaving';
let deployment: Deployment;
let account: Account;
let database: RegionDatabase;
let url: string;

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store, settings: { MILLPOND_COLLECT_EVERY: '1d' } });
  account = await deployment.createAccount(undefined, BUCKET);
  database = await openRegionDatabase(deployment.environment.MILLPOND_REGION_DB ?? '');
  ({ url } = await deployment.start());
  for (const key of ['a', 'b']) {
    const token = uploadToken(account, { scope: BUCKET });
    expect((await uploadForm(url, 'content', { token, key })).status).toBe(200);
  }
});
afterAll(async () => {
  await database?.close();
  await deployment?.destroy();
});

/** Calls while every statement on objects waits, leaves, and sees that nothing waits any more. */
async function leave(path: string, body?: string): Promise<void> {
  await expect.poll(() => database.waiting()).toBe(0);
  const lock = await database.lockObjects();
  try {
    const leaving = new AbortController();
    const call = signedFetch(url, account, path, {
      signal: leaving.signal,
      ...(body === undefined ? {} : { body }),
    });
    const left = expect(call).rejects.toThrow();
    await expect.poll(() => database.waiting()).toBe(1);
    leaving.abort();
    await left;
    await expect.poll(() => database.waiting()).toBe(0);
  } finally {
    await lock.release();
  }
}

test('a batch stops with its client: what was not begun is not done [batch-01]', async () => {
  await leave('/batch', `op=/stat/${formatEntry(BUCKET, 'a')}&op=/delete/${formatEntry(BUCKET, 'b')}`);
  // A batch that went on would be before this one on the same rows.
  expect((await stat(url, account, BUCKET, 'a')).status).toBe(200);
  expect((await stat(url, account, BUCKET, 'b')).status).toBe(200);
});

test.each(['', '&delimiter=/'])(
  'a stream stops reading when its client leaves (%j) [list-05]',
  async (rest) => {
    await leave(`/v2/list?bucket=${BUCKET}${rest}`);
    const answer = await signedFetch(url, account, `/v2/list?bucket=${BUCKET}`);
    expect((await answer.text()).match(/"key":"."/g)).toEqual(['"key":"a"', '"key":"b"']);
  },
);
