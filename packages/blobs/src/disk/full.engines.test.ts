// @module-tag linux
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const CHILD = join(import.meta.dirname, '../testing/disk-child.ts');

test('a full disk gives a clear error and leaves nothing behind', async () => {
  // A small file system of its own, in a mount namespace that ends with the child.
  const small = await mkdtemp(join(tmpdir(), 'millpond-full-'));
  const script = 'mount -t tmpfs -o size=4m none "$1" && exec "$2" "$3" "$1" until-full';
  const { stdout } = await promisify(execFile)('unshare', [
    '-rm',
    'sh',
    '-c',
    script,
    'sh',
    small,
    process.execPath,
    CHILD,
  ]);
  await rm(small, { recursive: true });
  expect(stdout.split('\n')).toEqual([
    'small: written',
    'put: blob store: no space left on the blob disk while writing a blob, retryable false',
    'writer: blob store: no space left on the blob disk while writing a blob, retryable false',
    'small again: written',
    'blobs: 2',
    'temporary files: 0',
  ]);
});
