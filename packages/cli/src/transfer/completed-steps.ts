/**
 * Which steps an earlier command has done, and whether that still holds: a target may have been removed or replaced
 * since. Objects are queried a thousand at a time, files are checked.
 */
import { stat } from 'node:fs/promises';
import { MAX_BATCH_SIZE, type ObjectRecord, operations } from '@millpond/client/server';
import type { Installations } from '../remote/installation.ts';
import type { Subject } from './outcome.ts';
import type { TransferStep } from './plan.ts';

/** A step with its name in lists and in the journal. */
export interface NamedStep {
  readonly step: TransferStep;
  readonly subject: Subject;
  /** Undefined: it can't be recognised again. */
  readonly mark: string | undefined;
}

export interface Judged extends NamedStep {
  readonly isDone: boolean;
}

interface Claimed extends NamedStep {
  readonly hash: string;
}

export interface DoneBefore {
  readonly installations: Installations;
  readonly signal: AbortSignal;
  /** The hash of what the step copied, if it did. */
  readonly hashOf: (named: NamedStep) => string | undefined;
}

export async function* checkCompleted(
  steps: AsyncIterable<NamedStep>,
  parts: DoneBefore,
): AsyncGenerator<Judged> {
  let claimed: Claimed[] = [];
  for await (const named of steps) {
    const hash = parts.hashOf(named);
    if (hash === undefined) {
      yield { ...named, isDone: false };
      continue;
    }
    claimed.push({ ...named, hash });
    if (claimed.length < MAX_BATCH_SIZE) continue;
    yield* confirmed(claimed, parts);
    claimed = [];
  }
  yield* confirmed(claimed, parts);
}

async function* confirmed(claimed: readonly Claimed[], parts: DoneBefore): AsyncGenerator<Judged> {
  const there = await hashesOf(claimed, parts);
  for (const [index, each] of claimed.entries()) {
    const { step } = each;
    const isDone =
      step.kind === 'down'
        ? (await sizeOf(step.file)) === step.object?.fsize
        : each.hash === there.get(index);
    yield { ...each, isDone };
  }
}

/** The current hashes of the targets in buckets, by the indexes of their steps. */
async function hashesOf(
  claimed: readonly Claimed[],
  { installations, signal }: DoneBefore,
): Promise<Map<number, string>> {
  const byAlias = new Map<string, { index: number; operation: string }[]>();
  for (const [index, { step }] of claimed.entries()) {
    if (step.kind !== 'up' && step.kind !== 'between') continue;
    const { alias, bucket, key } = step.to;
    const asked = byAlias.get(alias) ?? [];
    asked.push({ index, operation: operations.stat(bucket, key) });
    byAlias.set(alias, asked);
  }
  const hashes = new Map<number, string>();
  for (const [alias, asked] of byAlias) {
    const list = asked.map(({ operation }) => operation);
    // If nothing can be learnt, it is copied again, and that reveals what is wrong.
    const outcomes = await installations
      .client(alias)
      .objects.batch(list, { signal })
      .catch(() => []);
    for (const [at, { index }] of asked.entries()) {
      const outcome = outcomes[at];
      if (outcome?.ok === true) hashes.set(index, (outcome.data as ObjectRecord).hash);
    }
  }
  return hashes;
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    (facts) => (facts.isFile() ? facts.size : undefined),
    () => undefined,
  );
}
