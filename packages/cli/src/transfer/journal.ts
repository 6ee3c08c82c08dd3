/**
 * What a command on many objects has done, so that the same command can continue after it was killed: an append-only
 * file of short content names with their hashes, one line each. It is removed when everything is done.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface TransferJournal {
  /** The hash of the content that was copied under this name; undefined if it was not copied. */
  hashOf(name: string): string | undefined;
  add(name: string, hash: string): void;
  /** Removes it if all is done; otherwise keeps it. */
  end(isComplete: boolean): void;
}

/** Anything done longer ago may have been undone since. */
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;
const NAME_LENGTH = 16;
const LINE = /^([\w-]{16}) ([^ .]+)\.$/;

export const noJournal: TransferJournal = {
  hashOf: () => undefined,
  add: () => undefined,
  end: () => undefined,
};

/** `job`: everything that identifies this command. */
export async function openJournal(folder: string, job: readonly string[]): Promise<TransferJournal> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${nameOf(...job)}.log`);
  const done = await readDone(file);
  const handle = openSync(file, done.size === 0 ? 'w' : 'a', 0o600);
  return {
    hashOf: (name) => done.get(name),
    // Synchronously: what is in the file outlives the process.
    add: (name, hash) => void writeSync(handle, `${name} ${hash}.\n`),
    end(isComplete) {
      closeSync(handle);
      if (isComplete) rmSync(file, { force: true });
    },
  };
}

/** A short name for a content and its place; practically unique. */
export function nameOf(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return digest.slice(0, NAME_LENGTH);
}

async function readDone(file: string): Promise<Map<string, string>> {
  const done = new Map<string, string>();
  try {
    if (Date.now() - statSync(file).mtimeMs > MAX_AGE_MS) return done;
  } catch {
    return done;
  }
  // A line may be torn, or follow a torn one: then it does not match this form.
  for await (const line of createInterface({ input: createReadStream(file, 'latin1') })) {
    const [, name, hash] = LINE.exec(line) ?? [];
    if (name !== undefined && hash !== undefined) done.set(name, hash);
  }
  return done;
}
