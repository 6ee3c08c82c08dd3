/** Remembers unfinished uploads for after a reload: names and sizes, in this browser only. */
import type { KeptUpload, Upload } from './upload.ts';

const MOST_KEPT = 500;
/** Nobody reads it while uploads run, so not every byte must be written down at once. */
const EVERY_MS = 1_000;

let waiting: { readonly account: string; uploads: readonly Upload[] } | undefined;

// A reload must not lose what was begun a moment before.
globalThis.addEventListener?.('pagehide', write);

export function keptUploads(account: string): KeptUpload[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(account)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch {
    return [];
  }
}

export function keepUploads(account: string, uploads: readonly Upload[]): void {
  if (waiting?.account === account) {
    waiting.uploads = uploads;
    return;
  }
  write();
  waiting = { account, uploads };
  setTimeout(write, EVERY_MS);
}

function write(): void {
  if (waiting === undefined) return;
  const { account, uploads } = waiting;
  waiting = undefined;
  // What never began has nothing on the server to go on with, but its name reminds of it all the same.
  const open = uploads.filter(({ state }) => state !== 'done').slice(0, MOST_KEPT);
  const kept = open.map(
    ({ id, bucket, key, name, size, modified, sent, replaces }): KeptUpload => ({
      id,
      bucket,
      key,
      name,
      size,
      modified,
      sent,
      replaces,
    }),
  );
  try {
    if (kept.length === 0) localStorage.removeItem(nameOf(account));
    else localStorage.setItem(nameOf(account), JSON.stringify(kept));
  } catch {
    // A full or forbidden storage: uploads go on, but are not remembered.
  }
}

function nameOf(account: string): string {
  return `millpond.uploads.${account}`;
}

function isKept(value: unknown): value is KeptUpload {
  if (typeof value !== 'object' || value === null) return false;
  const { id, bucket, key, name, size, modified, sent, replaces } = value as Record<string, unknown>;
  return (
    [id, bucket, key, name].every((text) => typeof text === 'string') &&
    [size, modified, sent].every((number) => typeof number === 'number') &&
    typeof replaces === 'boolean'
  );
}
