/**
 * A file of any size is fetched in bounded memory. The size is 256 MiB, or what MILLPOND_TEST_LARGE_MIB says:
 * `MILLPOND_TEST_LARGE_MIB=5120 npm run acceptance -- large` for the long run.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEtagStream } from '@millpond/protocol';
import { createDeployment, type Deployment, hashing } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchInto } from '../support/fetching.ts';
import { useReceiver } from '../support/receiver.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const SIZE = Number(process.env.MILLPOND_TEST_LARGE_MIB ?? 256) * MIB;
const MOST_GROWTH = 150 * MIB;
const BLOCK = createHash('shake256', { outputLength: MIB }).update('noise').digest();

const origin = useReceiver();
let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
      MILLPOND_FETCH_MAX_SIZE: '16GiB',
      // The machine may be slow, and it is memory that is looked at.
      MILLPOND_FETCH_TIMEOUT: '30m',
    },
  });
});
afterAll(() => deployment.destroy());

/** Blocks that differ, so that no layer can be clever about them. */
function* blocks(): Generator<Buffer> {
  for (let at = 0; at < SIZE; at += MIB) {
    const block = Buffer.from(BLOCK);
    block.writeDoubleLE(at, 0);
    yield block;
  }
}

function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

test('a large fetch grows the gateway by at most 150 MiB', { timeout: 1_800_000 }, async () => {
  const server = await deployment.start({ args: ['serve', '--no-work'] });
  const account = await deployment.createAccount(undefined, 'large');
  const { url } = origin.at(async (response) => {
    response.writeHead(200, { 'content-length': String(SIZE) });
    for (const block of blocks()) {
      if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  });
  const idle = memoryOf(server.pid);
  let [peak, done] = [idle, false];
  const watching = (async () => {
    while (!done) {
      peak = Math.max(peak, memoryOf(server.pid));
      await sleep(20);
    }
  })();
  const answer = await fetchInto('large', url, { key: 'large', url: server.url, keys: account });
  done = true;
  await watching;
  const etag = createEtagStream(hashing);
  for (const block of blocks()) etag.update(block);
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { fsize: SIZE, hash: etag.digest().etag },
  ]);
  const grown = Math.round((peak - idle) / MIB);
  console.log(
    `${SIZE / MIB} MiB on ${target.store}: idle ${Math.round(idle / MIB)} MiB, fetch +${grown} MiB`,
  );
  expect(peak - idle).toBeLessThan(MOST_GROWTH);
});
