/**
 * Bytes stream: an object of any size passes through a gateway in bounded memory. The size is 256 MiB, or what
 * MILLPOND_TEST_LARGE_MIB says: `MILLPOND_TEST_LARGE_MIB=5120 npm run acceptance -- large` for the long run.
 */
import { request } from 'node:http';
import { createEtagStream } from '@millpond/protocol';
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  hashing,
  type ServerProcess,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LARGE_SIZE, largeBlocks, MAX_GROWTH, MIB, memoryOf, peakDuring } from '../support/objects/large.ts';
import { beginUpload, type NamedPart, putPart } from '../support/objects/multipart.ts';
import { target } from '../support/target.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: { MILLPOND_MAX_OBJECT_SIZE: '16GiB' },
  });
});
afterAll(() => deployment.destroy());

function upload(url: string, token: string): Promise<{ status: number; body: string }> {
  const boundary = 'large';
  const part = (name: string, rest: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/`, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const answer = (chunks: Buffer[]) => ({
        status: incoming.statusCode ?? 0,
        body: Buffer.concat(chunks).toString(),
      });
      incoming.toArray().then((chunks) => resolve(answer(chunks as Buffer[])), reject);
    });
    const send = async () => {
      outgoing.write(
        `${part('token', '')}${token}\r\n${part('key', '')}large\r\n${part('file', '; filename="large"')}`,
      );
      for (const block of largeBlocks()) {
        if (!outgoing.write(block)) await new Promise((drained) => outgoing.once('drain', drained));
      }
      outgoing.end(`\r\n--${boundary}--\r\n`);
    };
    send().catch(reject);
  });
}

const PART_BLOCKS = 4;
const MAX_CONCURRENT_PARTS = 4;

/** In parts of 4 MiB, a few at a time. */
async function uploadParts(server: ServerProcess, account: Account): Promise<Response> {
  const site = { url: server.url, account };
  const sending = await beginUpload('large-parts', { key: 'parts', site });
  const parts: NamedPart[] = [];
  const source = largeBlocks();
  let number = 0;
  const lane = async () => {
    for (;;) {
      const part: Buffer[] = [];
      for (let next = source.next(); !next.done; next = source.next()) {
        part.push(next.value);
        if (part.length === PART_BLOCKS) break;
      }
      if (part.length === 0) return;
      parts.push(await putPart(sending, ++number, Buffer.concat(part)));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_PARTS }, lane));
  return sending.complete(parts.toSorted((one, two) => one.partNumber - two.partNumber));
}

async function download(url: string): Promise<string> {
  const answer = await fetch(url);
  const etag = createEtagStream(hashing);
  for await (const chunk of answer.body ?? []) etag.update(chunk);
  return etag.digest().etag;
}

/** Etag of the whole content. */
function expectedHash(): string {
  const etag = createEtagStream(hashing);
  for (const block of largeBlocks()) etag.update(block);
  return etag.digest().etag;
}

test('a large object in parts grows the gateway by at most 150 MiB', { timeout: 1_800_000 }, async () => {
  const server = await deployment.start({ args: ['serve', '--no-work'] });
  const account = await deployment.createAccount(undefined, 'large-parts');
  const expected = expectedHash();
  const idle = memoryOf(server.pid);
  const { result, peak } = await peakDuring(server.pid, uploadParts(server, account));
  expect([result.status, await result.json()]).toEqual([200, { hash: expected, key: 'parts' }]);
  console.log(
    `${LARGE_SIZE / MIB} MiB in parts on ${target.store}: idle ${Math.round(idle / MIB)} MiB, up +${Math.round((peak - idle) / MIB)} MiB`,
  );
  expect(peak - idle).toBeLessThan(MAX_GROWTH);
  await server.kill('SIGTERM');
});

test('a large object grows the gateway by at most 150 MiB, up and down', { timeout: 1_800_000 }, async () => {
  const server = await deployment.start({ args: ['serve', '--no-work'] });
  const account = await deployment.createAccount();
  await createBucket(server.url, account, 'large');
  const expected = expectedHash();
  const idle = memoryOf(server.pid);
  const up = await peakDuring(server.pid, upload(server.url, uploadToken(account, { scope: 'large' })));
  expect(up.result).toMatchObject({ status: 200 });
  expect(JSON.parse(up.result.body)).toEqual({ hash: expected, key: 'large' });
  const down = await peakDuring(server.pid, download(`${server.url}/large/large`));
  expect(down.result).toBe(expected);
  const grown = (peak: number) => Math.round((peak - idle) / MIB);
  console.log(
    `${LARGE_SIZE / MIB} MiB on ${target.store}: idle ${Math.round(idle / MIB)} MiB, up +${grown(up.peak)} MiB, down +${grown(down.peak)} MiB`,
  );
  expect(up.peak - idle).toBeLessThan(MAX_GROWTH);
  expect(down.peak - idle).toBeLessThan(MAX_GROWTH);
});
