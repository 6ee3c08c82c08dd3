/** Things that can be made again, kept in a folder of the user: PostgreSQL's programs, and a prepared data directory. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const NEW = '.new-';
/** Making one never takes this long. */
const ABANDONED_MS = 3_600_000;

/** Root's cache must be open to the user that PostgreSQL runs as; root's home is not. */
export function cacheFolder(): string {
  const usual = process.getuid?.() === 0 ? '/var/cache' : path.join(homedir(), '.cache');
  return path.join(process.env.XDG_CACHE_HOME ?? usual, 'millpond');
}

/** Makes a folder completely or not at all; the first to finish has made it for all. */
export function buildAtomically(folder: string, make: (made: string) => void): void {
  if (existsSync(folder)) return;
  const made = makeTempSibling(folder);
  try {
    make(made);
    adopt(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** An empty folder on the same file system, for `adopt`. Removes what others left half-made. */
export function makeTempSibling(folder: string): string {
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const other = path.join(parent, name);
    if (name.includes(NEW) && Date.now() - statSync(other).mtimeMs > ABANDONED_MS)
      rmSync(other, { recursive: true, force: true });
  }
  const made = mkdtempSync(`${folder}${NEW}`);
  chmodSync(made, 0o755);
  return made;
}

export function adopt(made: string, folder: string): void {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
