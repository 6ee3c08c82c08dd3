/** What the object commands share: their options, and batched work on many objects. */
import { type BatchOutcome, MOST_IN_BATCH } from '@millpond/client/server';
import type { Command } from 'commander';
import { NotFound, UsageFault } from './exit.ts';
import { endIfInterrupted } from './interrupt.ts';
import { Installations } from './remote/installation.ts';
import { formatRemote, parseObject, parseRemote, type RemotePlace } from './remote/place.ts';
import { shown } from './remote/text.ts';
import { runLanes } from './transfer/lanes.ts';
import type { OutcomeOptions, Outcomes } from './transfer/outcome.ts';
import { objectsUnder } from './transfer/plan.ts';
import { readLines } from './transfer/tsv.ts';

export interface ObjectOptions extends OutcomeOptions {
  readonly from?: string;
  readonly recursive?: boolean;
  /** A missing object is not a failure. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** A command on objects, with the options that all of them have. */
export function objectCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option(
      '--from <file>',
      'read names from a list: the first column, separated by tabs; - is standard input',
    )
    .option('--success-list <file>', 'list what was done in this file')
    .option('--failure-list <file>', 'list what failed, and why, in this file; --from reads it')
    .option('--json', 'one JSON object per line')
    .option('--quiet', 'print failures only');
}

/** For commands that remove or replace something. */
export const DRY_RUN = ['--dry-run', 'list what would be done without doing it'] as const;

/** What `--recursive` takes, the same for all commands but `ls`. */
export const BELOW = 'everything below a folder: `a` matches a/b and a/c/d, but not a.txt or ab/c';

/** The objects that a command names: each individually, all below a prefix, or those of a list. */
export async function* objectsOf(
  names: readonly string[],
  options: ObjectOptions,
  { signal, outcomes }: { readonly signal: AbortSignal; readonly outcomes: Outcomes },
): AsyncGenerator<RemotePlace> {
  if (names.length === 0 && options.from === undefined)
    throw new UsageFault('name an object, such as :photos/a.jpg, or give --from');
  const installations = new Installations();
  for (const name of names) {
    if (!options.recursive) {
      yield parseObject(name);
      continue;
    }
    const place = parseRemote(name);
    try {
      for await (const { key } of objectsUnder({ installations, signal }, place)) yield { ...place, key };
    } catch (error) {
      // A missing one doesn't hold up the others.
      if (!(error instanceof NotFound)) throw error;
      if (options.force) outcomes.skipped([name], 'does not exist');
      else outcomes.failed([name], error);
    }
  }
  if (options.from === undefined) return;
  for await (const [name = ''] of readLines(options.from)) yield parseObject(name);
}

const BATCHES_AT_A_TIME = 4;

export interface BatchWork<T extends { readonly place: RemotePlace }> {
  readonly outcomes: Outcomes;
  readonly signal: AbortSignal;
  readonly operation: (thing: T, installations: Installations) => string;
  /** Facts and text about what was done. */
  readonly told?: (thing: T, data: unknown) => { facts: object; text: string | undefined };
  readonly target?: (thing: T) => string;
  /** Whether a failure counts as done. */
  readonly forgives?: (outcome: BatchOutcome) => boolean;
}

/** Reports what a run would do. */
export async function runDry<T extends { readonly place: RemotePlace }>(
  things: AsyncIterable<T>,
  { outcomes, signal, target }: Pick<BatchWork<T>, 'outcomes' | 'signal' | 'target'>,
): Promise<void> {
  for await (const thing of things) {
    if (signal.aborted) break;
    const source = formatRemote(thing.place);
    outcomes.planned(target === undefined ? [source] : [source, target(thing)]);
  }
  endIfInterrupted(signal);
}

/** One operation on each object, a thousand per request. */
export async function runBatches<T extends { readonly place: RemotePlace }>(
  things: AsyncIterable<T>,
  work: BatchWork<T>,
): Promise<void> {
  const installations = new Installations();
  await runLanes(inBatches(things), BATCHES_AT_A_TIME, work.signal, async (batch) => {
    const [first] = batch;
    if (first === undefined) return;
    const subject = (thing: T): [string, string?] => {
      const target = work.target?.(thing);
      const source = formatRemote(thing.place);
      return target === undefined ? [source] : [source, target];
    };
    try {
      const { objects } = installations.client(first.place.alias);
      const list = batch.map((thing) => work.operation(thing, installations));
      const ended = await objects.batch(list, { signal: work.signal });
      for (const [index, thing] of batch.entries()) {
        const outcome = ended[index];
        if (outcome?.ok === true) {
          const told = work.told?.(thing, outcome.data);
          work.outcomes.done(subject(thing), told?.facts, told?.text);
        } else if (outcome !== undefined && work.forgives?.(outcome))
          work.outcomes.skipped(subject(thing), 'does not exist');
        else work.outcomes.failed(subject(thing), outcome?.error);
      }
    } catch (error) {
      if (!work.signal.aborted) for (const thing of batch) work.outcomes.failed(subject(thing), error);
    }
  });
  endIfInterrupted(work.signal);
}

/** Each batch for one installation. */
async function* inBatches<T extends { readonly place: RemotePlace }>(
  things: AsyncIterable<T>,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const thing of things) {
    const isFull = batch.length === MOST_IN_BATCH || (batch[0] && batch[0].place.alias !== thing.place.alias);
    if (isFull) {
      yield batch;
      batch = [];
    }
    batch.push(thing);
  }
  if (batch.length > 0) yield batch;
}

export function countText(count: number, what: string): string {
  return `${count} ${count === 1 ? 'object' : 'objects'} ${what}`;
}

export function nameText(place: RemotePlace): string {
  return shown(formatRemote(place));
}
