/** Files from elsewhere: they go to disk as they come. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DownloadTarget } from '@millpond/jail';
import { createOutboundClient } from '@millpond/outbound';
import { type Behaviour, pour, type Receiver, reply, startReceiver } from '@millpond/outbound/testing';
import { afterAll, expect, test } from 'vitest';
import { noChildren } from '../../../identity/accounts/accounts.testing.ts';
import { type ObjectSourceDeps, ObjectSources } from './object-sources.ts';
import { Sources } from './sources.ts';

const MEBIBYTE = 1024 * 1024;
const folder = mkdtempSync(path.join(tmpdir(), 'millpond-sources-'));
const outbound = createOutboundClient({ allow: ['127.0.0.1/32'] });
const receivers: Receiver[] = [];
// An address is no host of a bucket: none of the other parts is asked.
const objects = new ObjectSources({ locate: () => undefined } as unknown as ObjectSourceDeps);
const sources = new Sources({ objects, outbound, tenants: noChildren });

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await outbound.close();
  rmSync(folder, { recursive: true });
});

async function urlOf(behaviour: Behaviour): Promise<string> {
  const receiver = await startReceiver(behaviour);
  receivers.push(receiver);
  return receiver.url;
}

let files = 0;
function arriving(count: DownloadTarget['count'] = () => undefined): DownloadTarget {
  return { path: path.join(folder, String(++files)), signal: new AbortController().signal, count };
}

const pouring =
  (chunk: Buffer, bytes: number): Behaviour =>
  (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`);
    pour(socket, chunk, bytes);
  };

test('a file from elsewhere is written as it comes, and read from there', async () => {
  const chunk = randomBytes(MEBIBYTE);
  const pieces: number[] = [];
  const into = arriving((bytes) => pieces.push(bytes));
  const source = await sources.further({ uid: 1n }, await urlOf(pouring(chunk, 5 * MEBIBYTE)), into);
  expect([source.path, source.size, source.inMemory]).toEqual([into.path, 5 * MEBIBYTE, undefined]);
  expect(readFileSync(into.path).equals(Buffer.concat(Array(5).fill(chunk)))).toBe(true);
  expect(statSync(into.path).mode & 0o777).toBe(0o444);
  expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBe(5 * MEBIBYTE);
  expect(pieces.length).toBeGreaterThan(5);
});

test('it is counted before it is written: what is too much ends there', async () => {
  let counted = 0;
  const into = arriving((bytes) => {
    counted += bytes;
    if (counted > MEBIBYTE) throw new Error('too much');
  });
  const url = await urlOf(pouring(randomBytes(MEBIBYTE), 10 * MEBIBYTE));
  await expect(sources.further({ uid: 1n }, url, into)).rejects.toThrow('too much');
  expect(statSync(into.path).size).toBeLessThanOrEqual(MEBIBYTE);
});

test('one of more than 20 MiB is not fetched, nor what is no answer', async () => {
  const into = arriving();
  const large = await urlOf(pouring(randomBytes(MEBIBYTE), 21 * MEBIBYTE));
  const failed = { name: 'ProcessingError', reason: 'source' };
  await expect(sources.further({ uid: 1n }, large, into)).rejects.toMatchObject(failed);
  const missing = await urlOf(reply(404, 'nothing'));
  await expect(sources.further({ uid: 1n }, missing, into)).rejects.toMatchObject({
    ...failed,
    message: 'a source answered 404',
  });
  expect(existsSync(into.path)).toBe(false);
});
