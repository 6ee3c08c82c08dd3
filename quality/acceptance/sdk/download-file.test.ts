/** Objects into files by our own client: all of it or nothing, and on where an earlier call ended. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DownloadProgress } from '@millpond/client';
import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket } from '../support/target.ts';

const MIB = 1024 * 1024;
const client = sdkClient();
let folder: string;
let bucket: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-sdk-'));
  bucket = await newBucket();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A download that is stopped in the middle; what it left, and where the file would be. */
async function stopped(key: string): Promise<{ file: string; part: string; left: number }> {
  const place = path.join(folder, key);
  const file = path.join(place, 'got');
  const stop = new AbortController();
  const onProgress = ({ done }: DownloadProgress) => done > MIB && stop.abort();
  await expect(
    client.downloadFile(bucket, key, file, { signal: stop.signal, onProgress }),
  ).rejects.toMatchObject({ code: 'cancelled' });
  const [name = '', ...others] = await readdir(place);
  expect(others).toEqual([]);
  const part = path.join(place, name);
  return { file, part, left: (await readFile(part)).length };
}

test('a file is there when all of it is, in a folder that is made for it', async () => {
  const content = randomContent(2 * MIB);
  await client.upload(bucket, 'whole', content, { mimeType: 'application/x-own' });
  const file = path.join(folder, 'new', 'folder', 'whole');
  const told: DownloadProgress[] = [];
  const result = await client.downloadFile(bucket, 'whole', file, { onProgress: (each) => told.push(each) });
  const size = content.length;
  expect(result).toMatchObject({
    size,
    received: size,
    hash: etagOf(hashing, content),
    mimeType: 'application/x-own',
  });
  expect(told.at(-1)).toEqual({ done: size, total: size, received: size });
  expect((await readFile(file)).equals(content)).toBe(true);
  expect(await readdir(path.dirname(file))).toEqual(['whole']);
});

test('one that was stopped goes on where it was', async () => {
  const content = randomContent(9 * MIB);
  await client.upload(bucket, 'stopped', content);
  const { file, left } = await stopped('stopped');
  expect(left).toBeGreaterThan(MIB);
  const result = await client.downloadFile(bucket, 'stopped', file);
  expect(result).toMatchObject({ size: content.length, received: content.length - left });
  expect((await readFile(file)).equals(content)).toBe(true);
  expect(await readdir(path.dirname(file))).toEqual(['got']);
});

test('and begins anew where it is told to, or where the object is another by now', async () => {
  await client.upload(bucket, 'anew', randomContent(9 * MIB));
  const { file } = await stopped('anew');
  const other = randomContent(9 * MIB);
  await client.upload(bucket, 'anew', other);
  expect(await client.downloadFile(bucket, 'anew', file)).toMatchObject({ received: other.length });
  expect((await readFile(file)).equals(other)).toBe(true);
  const again = await client.downloadFile(bucket, 'anew', file, { resume: false });
  expect(again.received).toBe(other.length);
});

test('what was damaged meanwhile is noticed, and never becomes the file', async () => {
  await client.upload(bucket, 'damaged', randomContent(9 * MIB));
  const { file, part } = await stopped('damaged');
  const bytes = await readFile(part);
  bytes[5] = (bytes[5] ?? 0) ^ 1;
  await writeFile(part, bytes);
  await expect(client.downloadFile(bucket, 'damaged', file)).rejects.toMatchObject({ code: 'integrity' });
  expect(await readdir(path.dirname(file))).toEqual([]);
  expect(await client.downloadFile(bucket, 'damaged', file)).toMatchObject({ received: 9 * MIB });
});
