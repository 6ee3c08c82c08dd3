/**
 * Makes folders that may lack their parents too. Not by Node's own `recursive`: below /proc, where a folder that can't be made is
 * reported as one whose parent is missing, that tries again for ever and keeps the processor busy.
 */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Leaves a folder that exists as it is. */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const parent = path.dirname(path.resolve(folder));
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== path.resolve(folder)) {
      makeFolder(parent, mode);
      // Its parent is there now: what fails here would fail for ever.
      makeOne(folder, mode);
    } else if (!isFolder(folder)) throw error;
  }
}

/** Somebody else may be faster. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
