/** Processes of this machine, as /proc shows them. */
import { readdirSync, readFileSync } from 'node:fs';

interface Entry {
  readonly state: string;
  readonly parent: number;
}

function entryOf(pid: number): Entry | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  const entry = entryOf(pid);
  return entry !== undefined && entry.state !== 'Z';
}

/** Children, their children and so on. */
export function descendantsOf(pid: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: entryOf(Number(name))?.parent }));
  const below = (parent: number): number[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each.pid, ...below(each.pid)]);
  return below(pid);
}
