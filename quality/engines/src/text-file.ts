import { readFileSync } from 'node:fs';

// Anything unreadable counts as empty: a file that does not exist yet, or a process that is gone.
export function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
