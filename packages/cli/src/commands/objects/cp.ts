/** `millpond cp`: files and folders up, down and between buckets; resumes what was killed. */
import path from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../exit.ts';
import { endIfInterrupted, interruptSignal } from '../../interrupt.ts';
import { BELOW, DRY_RUN, type ObjectOptions, objectCommand } from '../../object-command.ts';
import { readMime, readNumber, readPair, readSize } from '../../option-readers.ts';
import { Installations, identityOf, stateFolder } from '../../remote/installation.ts';
import { parseLocation } from '../../remote/location.ts';
import { addResponseHeaders, type ResponseHeaderOptions, responseHeadersOf } from '../../response-headers.ts';
import { CLASS_OPTION, readClass } from '../../storage-classes.ts';
import { Copier, plannedText, summaryText } from '../../transfer/copy.ts';
import { noJournal, openJournal } from '../../transfer/journal.ts';
import { statFile, walk } from '../../transfer/local-files.ts';
import { outageRetries } from '../../transfer/outage-retries.ts';
import { OutcomeReporter } from '../../transfer/outcome.ts';
import { objectsUnder, type PlanParts, planOf, type TransferStep } from '../../transfer/plan.ts';
import { openProgress, type Progress } from '../../transfer/progress.ts';
import { type Aimed, assertDistinctTargets } from '../../transfer/shared-target.ts';
import { type Spill, spilled } from '../../transfer/spill.ts';
import { aimOf } from '../../transfer/step-names.ts';
import { readLines } from '../../transfer/tsv.ts';

interface CpOptions extends ObjectOptions, ResponseHeaderOptions {
  readonly concurrency: number;
  readonly partSize?: number;
  readonly followLinks?: boolean;
  readonly overwrite: boolean;
  readonly resume: boolean;
  readonly retryFor: number;
  readonly mime?: string;
  readonly class?: number;
  readonly meta?: Record<string, string>;
}

export function addCp(program: Command): void {
  const command = objectCommand(program, 'cp', 'copy files and folders up, down and between buckets')
    .argument(
      '[places...]',
      'one or more sources, then the target: a path, [alias]:bucket/key, or - for a pipe',
    )
    .option('-r, --recursive', `${BELOW}; copied into the target`)
    .option('--follow-links', 'follow links to folders; without it they are left out')
    .option(...DRY_RUN)
    .option('--concurrency <n>', 'how many files at a time', readNumber(1, 256), 32)
    .option(
      '--part-size <size>',
      'part size of large uploads, such as 8m; sizes other than 4m give a different hash',
      readSize,
    )
    .option('--no-overwrite', 'fail if an object with different content exists')
    .option('--no-resume', 'start over instead of resuming an earlier command')
    .option(
      '--retry-for <seconds>',
      'keep retrying this long while a server is unavailable',
      readNumber(0, 86_400),
      60,
    )
    .option('--mime <type>', 'type of the uploaded objects; default: detected from the content', readMime)
    .option('--class <class>', `storage class of the uploaded objects: ${CLASS_OPTION}`, readClass)
    .option('--meta <name=value>', 'metadata of the uploaded objects; may be repeated', readPair);
  addResponseHeaders(command, { whose: 'the uploaded objects' })
    .addHelpText(
      'after',
      '\nIf it is interrupted, run the same command again: it continues where it stopped.',
    )
    .action(copy);
}

async function copy(places: string[], options: CpOptions): Promise<void> {
  const [sources, target] = [places.slice(0, -1), places.at(-1)];
  if (options.from === undefined && (target === undefined || sources.length === 0))
    throw new UsageError('name a source and a target, or give --from');
  const begun = performance.now();
  const signal = interruptSignal();
  const outcomeReporter = new OutcomeReporter(options);
  const isSilent = options.quiet === true || options.json === true;
  const progress = openProgress({ quiet: isSilent });
  const retry = outageRetries({
    seconds: options.retryFor,
    tell: (error) => progress.say(`millpond: ${(error as Error).message}; trying again`),
  });
  const installations = new Installations({ resume: options.resume, retry });
  const journal =
    options.resume && !options.dryRun
      ? await openJournal(path.join(stateFolder(), 'cp'), jobOf(places, options))
      : noJournal;
  const copier = new Copier({
    installations,
    outcomeReporter,
    progress,
    journal,
    signal,
    concurrency: options.concurrency,
    resume: options.resume,
    insertOnly: !options.overwrite,
    upload: {
      partSize: options.partSize,
      mimeType: options.mime,
      metadata: options.meta,
      responseHeaders: responseHeadersOf(options),
      ...(options.class === undefined ? {} : { policy: { fileType: options.class } }),
    },
  });
  const parts: PlanParts = {
    installations,
    recursive: options.recursive ?? false,
    followLinks: options.followLinks ?? false,
    signal,
    onFailure: (source, to, error) =>
      outcomeReporter.failed(to === undefined ? [source] : [source, to], error),
    onLeftOut: (source, to, reason) => outcomeReporter.leftOut([source, to], reason),
  };
  const ended = new AbortController();
  let isComplete = false;
  try {
    const run = (steps: AsyncIterable<TransferStep>) =>
      options.dryRun ? copier.plan(steps) : copier.run(steps);
    const list = options.from === undefined ? undefined : await spilled(readLines(options.from));
    // What one source has in it has as many names at the target.
    if (list !== undefined || sources.length > 1)
      await assertDistinctTargets(aimed({ ...parts, ...IN_SILENCE }, sources, target, list), parts);
    if (target !== undefined && sources.length > 0) {
      const looking = AbortSignal.any([signal, ended.signal]);
      if (!isSilent && !options.dryRun) void expectAll(sources, { ...parts, signal: looking }, progress);
      await run(planOf(parts, sources, target));
    }
    if (list !== undefined) await run(listed(list, parts));
    isComplete = outcomeReporter.counts.failed === 0 && !signal.aborted;
  } finally {
    ended.abort();
    progress.close();
    journal.end(isComplete);
  }
  if (signal.aborted) process.stderr.write('millpond: interrupted; run the same command again to continue\n');
  endIfInterrupted(signal);
  const seconds = (performance.now() - begun) / 1000;
  if (options.dryRun) {
    outcomeReporter.end({}, plannedText(outcomeReporter.counts));
    return;
  }
  const { copied, sent, received } = copier.bytes;
  const isPiped = target === '-';
  outcomeReporter.end(
    { bytes: copied, sent, received, seconds },
    isPiped ? undefined : summaryText(outcomeReporter.counts, copier.bytes, seconds),
  );
}

/**
 * A line is one object or file, as in lists of failures; with `-r`, a name that ends in a slash, or a bucket, means
 * everything below it.
 */
async function* listed(list: Spill, parts: PlanParts): AsyncGenerator<TransferStep> {
  for await (const [source = '', target = ''] of list.lines()) {
    try {
      if (target === '') throw new UsageError('this line of the list has no target');
      const location = parseLocation(source);
      const isObject = location.kind === 'remote' && location.key !== '' && !location.key.endsWith('/');
      yield* planOf(isObject ? { ...parts, recursive: false } : parts, [source], target);
    } catch (error) {
      parts.onFailure(source, target, error);
    }
  }
}

/** The copy itself reports what can't be read. */
const IN_SILENCE: Pick<PlanParts, 'onFailure' | 'onLeftOut'> = {
  onFailure: () => undefined,
  onLeftOut: () => undefined,
};

async function* aimed(
  parts: PlanParts,
  sources: readonly string[],
  target: string | undefined,
  list: Spill | undefined,
): AsyncGenerator<Aimed> {
  if (target !== undefined) for await (const step of planOf(parts, sources, target)) yield aimOf(step);
  if (list !== undefined) for await (const step of listed(list, parts)) yield aimOf(step);
}

/** The same places with the same installation are the same job, wherever the command is called from. */
function jobOf(places: readonly string[], options: CpOptions): string[] {
  const where = places.map((text) => {
    const location = parseLocation(text);
    if (location.kind === 'local') return path.resolve(location.path);
    return location.kind === 'pipe'
      ? '-'
      : `${identityOf(location.alias)} ${location.bucket}/${location.key}`;
  });
  return [...where, options.from === undefined ? '' : path.resolve(options.from), String(options.recursive)];
}

/** Counts in the background how much there is to do. The copy itself reports what can't be read. */
async function expectAll(sources: readonly string[], parts: PlanParts, progress: Progress): Promise<void> {
  for (const source of sources) {
    try {
      for await (const size of sizesOf(source, parts)) progress.expect(1, size);
    } catch {
      // Explained above.
    }
  }
}

async function* sizesOf(source: string, parts: PlanParts): AsyncGenerator<number> {
  const { installations, recursive, followLinks, signal } = parts;
  const location = parseLocation(source);
  if (location.kind === 'pipe') return;
  if (location.kind === 'remote') {
    const { objects } = installations.client(location.alias);
    if (recursive) for await (const { object } of objectsUnder(parts, location)) yield object.fsize;
    else yield (await objects.stat(location.bucket, location.key, { signal })).fsize;
    return;
  }
  const facts = await statFile(location.path);
  if (facts.kind !== 'folder') yield facts.size;
  else {
    const way = { followLinks, onFailure: () => undefined, onLeftOut: () => undefined };
    for await (const { size } of walk(location.path, way)) {
      if (signal.aborted) return;
      yield size;
    }
  }
}
