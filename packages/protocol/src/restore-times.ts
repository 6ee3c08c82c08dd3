/** How long restores of archive objects take, and how long they last. */
import { Fault } from './errors/fault.ts';

/** What an operator may set, by class; the minimum is the default. */
export const restoreTimes = {
  archive: { least: '1m', most: '5m' },
  deepArchive: { least: '5h', most: '12h' },
} as const;

/** One digit and nothing else: `01`, `+1` and `1.0` are not days. */
export function parseFreezeAfterDays(text: string): number {
  if (!/^[1-7]$/.test(text)) throw new Fault('invalidFreezeAfterDays');
  return Number(text);
}
