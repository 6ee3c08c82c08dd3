import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeHashing as hashing } from '@millpond/client';
import type { ListedObject } from '@millpond/client/server';
import { etagOf, etagOfParts } from '@millpond/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalFile, statFile } from '../transfer/local-files.ts';
import { hasTimeOf, isMultipartHash, isNoNewer, isSameContent } from './same-content.ts';

const MIB = 1024 * 1024;
const folder = mkdtempSync(path.join(tmpdir(), 'millpond-same-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const content = Buffer.alloc(21 * MIB + 5, 'content that is no block like another ');
for (let at = 0; at < content.length; at += MIB) content.writeUInt32LE(at, at);
let file: LocalFile;

beforeAll(async () => {
  writeFileSync(path.join(folder, 'f'), content);
  file = await statFile(path.join(folder, 'f'));
});

function cutAt(bytes: Buffer, partSize: number): string {
  const parts = [];
  for (let at = 0; at < bytes.length; at += partSize) {
    const part = bytes.subarray(at, at + partSize);
    parts.push({ size: part.length, etag: etagOf(hashing, part) });
  }
  return etagOfParts(hashing, parts);
}

function has(hash: string, partSize?: number): Promise<boolean> {
  const object = { hash, fsize: content.length } as ListedObject;
  return isSameContent({ file, object, partSize, signal: new AbortController().signal });
}

describe('the hash of a file', () => {
  test('is that of an upload in one piece, or on the grid', async () => {
    expect(await has(etagOf(hashing, content))).toBe(true);
    expect(cutAt(content, 4 * MIB)).toBe(etagOf(hashing, content));
  });

  test.each([8, 12, 16, 20, 24, 64])('is found of parts of %d MiB', async (size) => {
    const hash = cutAt(content, size * MIB);
    expect(isMultipartHash(hash)).toBe(true);
    expect(await has(hash)).toBe(true);
  });

  test('is found of parts off the blocks where their size was given', async () => {
    const hash = cutAt(content, 5 * MIB);
    expect([await has(hash), await has(hash, 5 * MIB), await has(hash, 6 * MIB)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('is another where one byte is', async () => {
    const other = Buffer.from(content);
    other[9 * MIB] = 255 - (other[9 * MIB] ?? 0);
    for (const size of [4, 8, 64]) expect(await has(cutAt(other, size * MIB))).toBe(false);
  });
});

test('times: a file that was not changed since, and one that has the time of its object', () => {
  const at = (putTime: bigint) => ({ putTime }) as ListedObject;
  const { modified } = file;
  expect([isNoNewer(file, at(modified)), isNoNewer(file, at(modified - 1n))]).toEqual([true, false]);
  expect(hasTimeOf(file, at(modified + 9_999n))).toBe(true);
  expect(hasTimeOf(file, at(modified + 10_000_000n))).toBe(false);
  expect(hasTimeOf(file, at(modified - 10_000_000n))).toBe(false);
});
