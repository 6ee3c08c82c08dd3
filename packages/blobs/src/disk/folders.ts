/**
 * Hour folders: created when first needed, remembered afterwards, and synced so that a name in them survives a power cut. Syncs
 * of one folder are shared: callers that come while one runs wait together for the next.
 */
import { dirname } from 'node:path';
import { close, codeOf, fsync, makeDirectory, open, rename } from './files.ts';

/** More hours than are ever written to at once; beyond that the cache is emptied. */
const MAX_KNOWN = 1000;

export interface HourFolders {
  /** Gives a finished temporary file its final name, durably. */
  place(temporary: string, folder: string, path: string): Promise<void>;
}

export function createHourFolders(): HourFolders {
  const known = new Set<string>();
  const sync = createSharedSync();

  async function ensure(folder: string): Promise<void> {
    if (known.has(folder)) return;
    await makeDirectory(folder).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    await sync(dirname(folder));
    if (known.size >= MAX_KNOWN) known.clear();
    known.add(folder);
  }

  return {
    async place(temporary, folder, path) {
      await ensure(folder);
      try {
        await rename(temporary, path);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        // Removing the last blob of an old hour removes its folder, perhaps just now.
        known.delete(folder);
        await ensure(folder);
        await rename(temporary, path);
      }
      await sync(folder);
    },
  };
}

function createSharedSync(): (folder: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();

  function start(folder: string): Promise<void> {
    const done = syncFolder(folder).finally(() => running.delete(folder));
    running.set(folder, done);
    return done;
  }

  return (folder) => {
    const current = running.get(folder);
    if (current === undefined) return start(folder);
    // The running sync may have begun before our rename, so only the one after it covers us.
    let following = next.get(folder);
    if (following === undefined) {
      following = current
        .catch(() => undefined)
        .then(() => {
          next.delete(folder);
          return start(folder);
        });
      next.set(folder, following);
    }
    return following;
  };
}

async function syncFolder(folder: string): Promise<void> {
  const fd = await open(folder, 'r');
  try {
    await fsync(fd);
  } finally {
    await close(fd);
  }
}
