/**
 * What a command does to a content, as one number: equal for all that would give the same, whatever they are named
 * and in whichever order their parameters were written.
 */
import { createHash } from 'node:crypto';
import { canonicalWork, type Fop, productOf, sourcesOf } from '@millpond/protocol';
import type { TaskRow } from '../task.ts';

/** To be raised when engines come to make something else of the same command. */
const ENGINES = '1';

export interface Work {
  readonly digest: Buffer;
  /** Whether its result is one file that follows from source and command alone. */
  readonly isReusable: boolean;
}

export function workOf(fop: Fop, { hash, fsize }: Pick<TaskRow, 'hash' | 'fsize'>): Work {
  const isReusable = fop.stages.every(
    (plan) => plan.command !== 'mkzip' && productOf(plan) !== 'files' && sourcesOf(plan).length === 0,
  );
  // What else it needs may change, and what it names may differ: then only the very same command is the same.
  const command = isReusable ? canonicalWork(fop) : fop.cmd;
  const text = [ENGINES, hash, fsize, isReusable, command].join('\n');
  return { digest: createHash('sha256').update(text).digest(), isReusable };
}
