/**
 * A file of any size is fetched in bounded memory. The size is 256 MiB, or what MILLPOND_TEST_LARGE_MIB says:
 * `MILLPOND_TEST_LARGE_MIB=5120 npm run acceptance -- large` for the long run.
 */
import { createEtagStream } from '@millpond/protocol';
import { createDeployment, type Deployment, hashing } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchInto } from '../support/objects/fetching.ts';
import { LARGE_SIZE, largeBlocks, MAX_GROWTH, MIB, memoryOf, peakDuring } from '../support/objects/large.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

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

test('a large fetch grows the gateway by at most 150 MiB', { timeout: 1_800_000 }, async () => {
  const server = await deployment.start({ args: ['serve', '--no-work'] });
  const account = await deployment.createAccount(undefined, 'large');
  const { url } = origin.at(async (response) => {
    response.writeHead(200, { 'content-length': String(LARGE_SIZE) });
    for (const block of largeBlocks()) {
      if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  });
  const idle = memoryOf(server.pid);
  const { result: answer, peak } = await peakDuring(
    server.pid,
    fetchInto('large', url, { key: 'large', url: server.url, keys: account }),
  );
  const etag = createEtagStream(hashing);
  for (const block of largeBlocks()) etag.update(block);
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { fsize: LARGE_SIZE, hash: etag.digest().etag },
  ]);
  const grown = Math.round((peak - idle) / MIB);
  console.log(
    `${LARGE_SIZE / MIB} MiB on ${target.store}: idle ${Math.round(idle / MIB)} MiB, fetch +${grown} MiB`,
  );
  expect(peak - idle).toBeLessThan(MAX_GROWTH);
});
