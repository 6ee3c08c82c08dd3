/**
 * What a command does to a content, as one digest: equal for all commands that would give the same result, whatever its
 * name and the order of their parameters.
 */
import { createHash } from 'node:crypto';
import { canonicalWork, type Fop, productOf, sourcesOf } from '@millpond/protocol';
import type { TaskRow } from '../task.ts';

/** Increase it when engines start to produce something else for the same command. */
const ENGINES = '3';

export interface ResultCacheKey {
  readonly digest: Buffer;
  /** Whether its result is one file that depends only on source and command. */
  readonly isReusable: boolean;
}

export function resultCacheKey(fop: Fop, { hash, fsize }: Pick<TaskRow, 'hash' | 'fsize'>): ResultCacheKey {
  const isReusable = fop.stages.every(
    (plan) => plan.command !== 'mkzip' && productOf(plan) !== 'files' && sourcesOf(plan).length === 0,
  );
  // Its other inputs may change, and the names it refers to may differ: then only the identical command is the same.
  const command = isReusable ? canonicalWork(fop) : fop.cmd;
  const text = [ENGINES, hash, fsize, isReusable, command].join('\n');
  return { digest: createHash('sha256').update(text).digest(), isReusable };
}
