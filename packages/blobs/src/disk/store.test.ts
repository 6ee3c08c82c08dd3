import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BlobId, newBlobId, parseBlobId } from '../blob-id.ts';
import { BlobCorruptError } from '../errors.ts';
import { collectingSink, digest, pattern } from '../testing/sinks.ts';
import { blobPath } from './layout.ts';
import { createDiskBlobStore } from './store.ts';

const CHILD = join(import.meta.dirname, '../testing/disk-child.ts');
const STANDARD = { tier: 'STANDARD' } as const;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'millpond-disk-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('kill -9 while writing: what was reported is whole, what is there is whole', async () => {
  const store = createDiskBlobStore({ root: join(root, 'killed') });
  await store.ensureReady();
  const reported = new Map<BlobId, number>();
  // Killed at whatever it does when it has reported so many.
  for (const most of [3, 6, 9, 12]) {
    const child = spawn(process.execPath, [CHILD, join(root, 'killed'), 'until-killed'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      if (output.split('\n').length > most) child.kill('SIGKILL');
    });
    await once(child, 'close');
    for (const [, text = '', length] of output.matchAll(/^(\S+) (\d+)\n/gm)) {
      const id = parseBlobId(text);
      if (id) reported.set(id, Number(length));
    }
  }
  expect(reported.size).toBeGreaterThan(20);
  const present = new Set<BlobId>();
  for (const hour of await store.listHours()) {
    for await (const page of store.list(hour)) {
      for (const { id, size } of page) {
        const bytes = Buffer.from(await store.readAll(id, size));
        const expected = pattern(size, size);
        expected.writeUInt32LE(size);
        expect(bytes.equals(expected), id).toBe(true);
        present.add(id);
      }
    }
  }
  for (const id of reported.keys()) expect(present.has(id), id).toBe(true);
  await store.abortStale(new Date(Date.now() + 60_000));
  expect(await store.abortStale(new Date(Date.now() + 60_000))).toBe(0);
});

describe('reading', () => {
  test('a blob that was cut short is refused before the first byte', async () => {
    const store = createDiskBlobStore({ root });
    await store.ensureReady();
    const id = newBlobId();
    await store.put(id, [pattern(5000)], STANDARD);
    await truncate(blobPath(root, 'STANDARD', id), 4000);
    const sink = collectingSink();
    await expect(store.read(id, { offset: 0, length: 5000 }, sink)).rejects.toThrow(BlobCorruptError);
    expect(sink.received).toBe(0);
  });

  test('buffers that are used again do not disturb what a real HTTP response still holds', async () => {
    const store = createDiskBlobStore({ root });
    await store.ensureReady();
    const id = newBlobId();
    const bytes = pattern(20 * 1024 * 1024 + 333, 77);
    await store.put(id, [bytes], STANDARD);
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      void store.read(id, { offset: 0, length: bytes.length }, response).then(() => response.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answers = await Promise.all(
      [1, 2, 3].map(async () => {
        const { body } = await request(`http://127.0.0.1:${port}/`);
        const chunks: Buffer[] = [];
        for await (const chunk of body) {
          chunks.push(chunk);
          if (chunks.length % 64 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
        }
        return digest(Buffer.concat(chunks));
      }),
    );
    server.closeAllConnections();
    server.close();
    expect(answers).toEqual([digest(bytes), digest(bytes), digest(bytes)]);
  });
});

test('files are where the layout says, in the folder of their tier and hour', async () => {
  const store = createDiskBlobStore({ root });
  await store.ensureReady();
  const id = parseBlobId('017f22e2-79b0-7cc3-98c4-dc0c0c07398f') as BlobId;
  await store.put(id, [pattern(10)], { tier: 'COLD' });
  const file = await readFile(join(root, 'COLD', '2022022219', id));
  expect(file.equals(pattern(10))).toBe(true);
});

test('a hundred writers of one new hour share its folder', async () => {
  const store = createDiskBlobStore({ root });
  await store.ensureReady();
  const ids = Array.from({ length: 100 }, () => newBlobId(Date.UTC(2015, 5, 5)));
  await Promise.all(ids.map((id) => store.put(id, [pattern(10)], STANDARD)));
  await store.remove(ids);
  await Promise.all(ids.map((id) => store.put(id, [pattern(10)], STANDARD)));
  for (const id of ids) expect(await store.stat(id)).toBeDefined();
});
