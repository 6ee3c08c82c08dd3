/** `millpond sync`: makes a target equal to its source; copies only what differs. */
import type { Command } from 'commander';
import { endIfInterrupted, interruptSignal } from '../../interrupt.ts';
import { DRY_RUN } from '../../object-command.ts';
import { readNumber, readSize } from '../../option-readers.ts';
import { Installations } from '../../remote/installation.ts';
import { CLASS_OPTION, readClass } from '../../storage-classes.ts';
import { FilterRules, parseRule, type Rule } from '../../sync/rules.ts';
import { Sync, type SyncDeps } from '../../sync/run.ts';
import { parseSyncSides, sourceEntries } from '../../sync/sides.ts';
import { Copier, copiedText, restText } from '../../transfer/copy.ts';
import { noJournal } from '../../transfer/journal.ts';
import { outageRetries } from '../../transfer/outage-retries.ts';
import { type OutcomeOptions, OutcomeReporter } from '../../transfer/outcome.ts';
import { openProgress, type Progress } from '../../transfer/progress.ts';

interface SyncOptions extends OutcomeOptions {
  readonly delete?: boolean;
  readonly dryRun?: boolean;
  readonly byTime?: boolean;
  readonly followLinks?: boolean;
  readonly concurrency: number;
  readonly partSize?: number;
  readonly class?: number;
  readonly retryFor: number;
}

const AFTER = `
Rules are tried in the order given; the first that matches a name, or one of its parent folders, decides. Names that no rule matches
are included, unless all rules are --include. * matches any text except /, ** any text, ? one character, [a-z] one of a set. A
pattern matches at any depth; with a leading / only at the top, with a trailing / only folders. Excluded names are not deleted either.

If it is interrupted, run the same command again: it continues where it stopped.`;

export function addSync(program: Command): void {
  const rules: Rule[] = [];
  const readRule = (kind: Rule['kind']) => (glob: string) => rules.push(parseRule(kind, glob));
  program
    .command('sync')
    .description('make a folder or bucket match another: copy what differs')
    .argument('<source>', 'a folder, or [alias]:bucket[/folder]')
    .argument('<target>', 'likewise; at least one of the two must be in a bucket')
    .option('--delete', 'at the end, delete what only the target has, if nothing failed')
    .option('--exclude <glob>', 'leave out what matches; may be repeated', readRule('exclude'))
    .option('--include <glob>', 'include what matches; may be repeated', readRule('include'))
    .option(...DRY_RUN)
    .option(
      '--by-time',
      'treat files of the same size that have not changed since as the same, without reading them',
    )
    .option('--follow-links', 'follow links to folders; without it they are left out')
    .option('--concurrency <n>', 'how many files at a time', readNumber(1, 256), 32)
    .option(
      '--part-size <size>',
      'part size of large uploads, such as 8m; sizes other than 4m give a different hash',
      readSize,
    )
    .option('--class <class>', `storage class of the uploaded objects: ${CLASS_OPTION}`, readClass)
    .option(
      '--retry-for <seconds>',
      'keep retrying this long while a server is unavailable',
      readNumber(0, 86_400),
      60,
    )
    .option('--success-list <file>', 'list what was done in this file')
    .option('--failure-list <file>', 'list what failed, and why, in this file; `millpond cp --from` reads it')
    .option('--json', 'one JSON object per line')
    .option('--quiet', 'print failures only')
    .addHelpText('after', AFTER)
    .action((source: string, target: string, options: SyncOptions) =>
      sync(source, target, options, new FilterRules(rules)),
    );
}

async function sync(source: string, target: string, options: SyncOptions, rules: FilterRules): Promise<void> {
  const begun = performance.now();
  const signal = interruptSignal();
  const outcomeReporter = new OutcomeReporter(options);
  const isSilent = options.quiet === true || options.json === true;
  const progress = openProgress({ quiet: isSilent });
  const retry = outageRetries({
    seconds: options.retryFor,
    tell: (error) => progress.say(`millpond: ${(error as Error).message}; trying again`),
  });
  const installations = new Installations({ retry });
  const { concurrency, partSize } = options;
  const copier = new Copier({
    installations,
    outcomeReporter,
    progress,
    journal: noJournal,
    signal,
    concurrency,
    resume: true,
    insertOnly: false,
    upload: {
      partSize,
      ...(options.class === undefined ? {} : { policy: { fileType: options.class } }),
    },
  });
  const ended = new AbortController();
  let deleted = 0;
  let notDeleted = 0;
  let disabled = 0;
  try {
    const deps: SyncDeps = {
      ends: await parseSyncSides(source, target, installations),
      installations,
      outcomeReporter,
      copier,
      signal,
      concurrency,
      rules,
      followLinks: options.followLinks ?? false,
      byTime: options.byTime ?? false,
      partSize,
      deletes: options.delete ?? false,
      dryRun: options.dryRun ?? false,
    };
    if (!isSilent && !deps.dryRun)
      void expectAll({ ...deps, signal: AbortSignal.any([signal, ended.signal]) }, progress);
    ({ deleted, notDeleted, disabled } = await new Sync(deps).run());
  } finally {
    ended.abort();
    progress.close();
    if (signal.aborted)
      process.stderr.write('millpond: interrupted; run the same command again to continue\n');
  }
  endIfInterrupted(signal);
  if (notDeleted > 0)
    process.stderr.write(
      `millpond: nothing was deleted, because something failed: ${notDeleted} exist only at the target\n`,
    );
  const { counts } = outcomeReporter;
  const seconds = (performance.now() - begun) / 1000;
  const { copied, sent, received } = copier.bytes;
  const rest = `${disabled > 0 ? `${disabled} disabled, ` : ''}${restText(counts)}`;
  if (options.dryRun) {
    const would = `${counts.planned - deleted - disabled} would be copied, ${deleted} deleted`;
    outcomeReporter.end({ deleted, notDeleted, disabled }, `${would}; ${counts.skipped} the same, ${rest}`);
    return;
  }
  outcomeReporter.end(
    { deleted, notDeleted, disabled, bytes: copied, sent, received, seconds },
    `${copiedText(counts.done - deleted - disabled, copier.bytes, seconds)}; ${deleted} deleted, ${counts.skipped} the same, ${rest}`,
  );
}

/** Counts in the background how much there is to look at. The work itself reports what can't be read. */
async function expectAll(deps: SyncDeps, progress: Progress): Promise<void> {
  try {
    for await (const entry of sourceEntries(deps.ends, { ...deps, onFailure: () => undefined })) {
      if (deps.signal.aborted) return;
      if (entry.kind !== 'leftOut') progress.expect(1, entry.size);
    }
  } catch {
    // Explained above.
  }
}
