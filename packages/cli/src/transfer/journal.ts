/**
 * What a command over many objects has done, so that the same command goes on after it was killed: an append-only file of short
 * names of contents, one line each. It is removed when everything is done.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface TransferJournal {
  has(name: string): boolean;
  add(name: string): void;
  /** Removes it where all is done; keeps it otherwise. */
  end(isComplete: boolean): void;
}

/** What was done longer ago may have been undone since. */
const MOST_AGE_MS = 7 * 24 * 3600 * 1000;
const NAME_LENGTH = 16;

export const noJournal: TransferJournal = { has: () => false, add: () => undefined, end: () => undefined };

/** `job`: everything that makes this command the same command. */
export async function openJournal(folder: string, job: readonly string[]): Promise<TransferJournal> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${nameOf(...job)}.log`);
  const done = await readDone(file);
  const handle = openSync(file, done.size === 0 ? 'w' : 'a', 0o600);
  return {
    has: (name) => done.has(name),
    // At once: what is in the file outlives the process.
    add: (name) => void writeSync(handle, `${name}\n`),
    end(isComplete) {
      closeSync(handle);
      if (isComplete) rmSync(file, { force: true });
    },
  };
}

/** A short name of a content and its place; another content hardly ever has the same. */
export function nameOf(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return digest.slice(0, NAME_LENGTH);
}

async function readDone(file: string): Promise<Set<string>> {
  const done = new Set<string>();
  try {
    if (Date.now() - statSync(file).mtimeMs > MOST_AGE_MS) return done;
  } catch {
    return done;
  }
  // The last line may be torn: it is then no name.
  for await (const line of createInterface({ input: createReadStream(file, 'latin1') }))
    if (line.length === NAME_LENGTH) done.add(line);
  return done;
}
