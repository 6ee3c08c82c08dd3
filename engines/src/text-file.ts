import { readFileSync } from 'node:fs';

// What can't be read is empty: a file that is not there yet, or a process that is gone.
export function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
