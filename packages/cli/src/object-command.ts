/** What the object commands share: their options, and batched work on many objects. */
import { type BatchOutcome, MAX_BATCH_SIZE } from '@millpond/client/server';
import type { Command } from 'commander';
import { NotFoundError, UsageError } from './exit.ts';
import { endIfInterrupted } from './interrupt.ts';
import { Installations } from './remote/installation.ts';
import { formatRemote, parseObject, parseRemote, type RemoteLocation } from './remote/location.ts';
import { escapeForTerminal } from './remote/text.ts';
import { runConcurrently } from './transfer/concurrency.ts';
import type { OutcomeOptions, OutcomeReporter } from './transfer/outcome.ts';
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
  { signal, outcomeReporter }: { readonly signal: AbortSignal; readonly outcomeReporter: OutcomeReporter },
): AsyncGenerator<RemoteLocation> {
  if (names.length === 0 && options.from === undefined)
    throw new UsageError('name an object, such as :photos/a.jpg, or give --from');
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
      if (!(error instanceof NotFoundError)) throw error;
      if (options.force) outcomeReporter.skipped([name], 'does not exist');
      else outcomeReporter.failed([name], error);
    }
  }
  if (options.from === undefined) return;
  for await (const [name = ''] of readLines(options.from)) yield parseObject(name);
}

const MAX_CONCURRENT_BATCHES = 4;

export interface BatchWork<T extends { readonly place: RemoteLocation }> {
  readonly outcomeReporter: OutcomeReporter;
  readonly signal: AbortSignal;
  readonly operation: (thing: T, installations: Installations) => string;
  /** Facts and text about what was done. */
  readonly told?: (thing: T, data: unknown) => { facts: object; text: string | undefined };
  readonly target?: (thing: T) => string;
  /** Whether a failure counts as done. */
  readonly forgives?: (outcome: BatchOutcome) => boolean;
}

/** Reports what a run would do. */
export async function runDry<T extends { readonly place: RemoteLocation }>(
  things: AsyncIterable<T>,
  { outcomeReporter, signal, target }: Pick<BatchWork<T>, 'outcomeReporter' | 'signal' | 'target'>,
): Promise<void> {
  for await (const thing of things) {
    if (signal.aborted) break;
    const source = formatRemote(thing.place);
    outcomeReporter.planned(target === undefined ? [source] : [source, target(thing)]);
  }
  endIfInterrupted(signal);
}

/** One operation on each object, a thousand per request. */
export async function runBatches<T extends { readonly place: RemoteLocation }>(
  things: AsyncIterable<T>,
  work: BatchWork<T>,
): Promise<void> {
  const installations = new Installations();
  await runConcurrently(inBatches(things), MAX_CONCURRENT_BATCHES, work.signal, async (batch) => {
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
          work.outcomeReporter.done(subject(thing), told?.facts, told?.text);
        } else if (outcome !== undefined && work.forgives?.(outcome))
          work.outcomeReporter.skipped(subject(thing), 'does not exist');
        else work.outcomeReporter.failed(subject(thing), outcome?.error);
      }
    } catch (error) {
      if (!work.signal.aborted) for (const thing of batch) work.outcomeReporter.failed(subject(thing), error);
    }
  });
  endIfInterrupted(work.signal);
}

/** Each batch for one installation. */
async function* inBatches<T extends { readonly place: RemoteLocation }>(
  things: AsyncIterable<T>,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const thing of things) {
    const isFull =
      batch.length === MAX_BATCH_SIZE || (batch[0] && batch[0].place.alias !== thing.place.alias);
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

export function nameText(place: RemoteLocation): string {
  return escapeForTerminal(formatRemote(place));
}
