/** Files to copy: many small ones in folders, or a large one. */
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PER_FOLDER = 500;
const PIECE = 16 * 1024 * 1024;

export function manyFiles(count: number, bytes: number): string {
  const root = mkdtempSync(path.join(tmpdir(), 'millpond-bench-files-'));
  for (let n = 0; n < count; n++) {
    const folder = path.join(root, String(Math.floor(n / PER_FOLDER)));
    if (n % PER_FOLDER === 0) mkdirSync(folder);
    writeFileSync(path.join(folder, `${n}.bin`), randomBytes(bytes));
  }
  return root;
}

export function largeFile(bytes: number): string {
  const root = mkdtempSync(path.join(tmpdir(), 'millpond-bench-files-'));
  const handle = openSync(path.join(root, 'large.bin'), 'w');
  for (let at = 0; at < bytes; at += PIECE) writeSync(handle, randomBytes(Math.min(PIECE, bytes - at)));
  closeSync(handle);
  return root;
}
