/** `millpond sync`: makes a target equal to its source; copies only what differs. */
import type { Command } from 'commander';
import { endIfInterrupted, interruptSignal } from '../../interrupt.ts';
import { DRY_RUN } from '../../object-command.ts';
import { readNumber, readSize } from '../../option-readers.ts';
import { Installations } from '../../remote/installation.ts';
import { CLASS_OPTION, readClass } from '../../storage-classes.ts';
import { endsOf, sourceEntries } from '../../sync/ends.ts';
import { parseRule, type Rule, Rules } from '../../sync/rules.ts';
import { Sync, type SyncDeps } from '../../sync/run.ts';
import { Copier, copiedText, restText } from '../../transfer/copy.ts';
import { noJournal } from '../../transfer/journal.ts';
import { type OutcomeOptions, Outcomes } from '../../transfer/outcome.ts';
import { patienceFor } from '../../transfer/patience.ts';
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
Rules are tried in the order in which they are given; the first that matches a name, or a folder on the way to it, decides. What none
matches takes part, unless there are only --include. * is any text but /, ** any text, ? a character, [a-z] one of some. A
pattern fits at any depth, with / before it only at the top, with / behind it only a folder. What is excluded is not deleted either.

The same command goes on where it was killed.`;

export function addSync(program: Command): void {
  const rules: Rule[] = [];
  const readRule = (kind: Rule['kind']) => (glob: string) => rules.push(parseRule(kind, glob));
  program
    .command('sync')
    .description('make a folder or bucket what another is: copy what differs')
    .argument('<source>', 'a folder, or [alias]:bucket[/folder]')
    .argument('<target>', 'likewise; one of the two is in a bucket')
    .option('--delete', 'delete what only the target has, when all else is done and nothing failed')
    .option('--exclude <glob>', 'what does not take part; may be given again', readRule('exclude'))
    .option('--include <glob>', 'what takes part; may be given again', readRule('include'))
    .option(...DRY_RUN)
    .option('--by-time', 'a file of the right size that was not changed since is the same; it is not read')
    .option('--follow-links', 'links to folders are folders; without it they are left out')
    .option('--concurrency <n>', 'files at a time', readNumber(1, 256), 32)
    .option(
      '--part-size <size>',
      'of large uploads, such as 8m; another than 4m gives another hash',
      readSize,
    )
    .option('--class <class>', `of what is uploaded: ${CLASS_OPTION}`, readClass)
    .option(
      '--retry-for <seconds>',
      'go on trying for so long where a server is away',
      readNumber(0, 86_400),
      60,
    )
    .option('--success-list <file>', 'write what was done')
    .option('--failure-list <file>', 'write what failed, and why; `millpond cp --from` reads it')
    .option('--json', 'one JSON object a line')
    .option('--quiet', 'say nothing but failures')
    .addHelpText('after', AFTER)
    .action((source: string, target: string, options: SyncOptions) =>
      sync(source, target, options, new Rules(rules)),
    );
}

async function sync(source: string, target: string, options: SyncOptions, rules: Rules): Promise<void> {
  const begun = performance.now();
  const signal = interruptSignal();
  const outcomes = new Outcomes(options);
  const isSilent = options.quiet === true || options.json === true;
  const progress = openProgress({ quiet: isSilent });
  const retry = patienceFor({
    seconds: options.retryFor,
    tell: (error) => progress.say(`millpond: ${(error as Error).message}; trying again`),
  });
  const installations = new Installations({ retry });
  const { concurrency, partSize } = options;
  const copier = new Copier({
    installations,
    outcomes,
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
  try {
    const deps: SyncDeps = {
      ends: await endsOf(source, target, installations),
      installations,
      outcomes,
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
    ({ deleted, notDeleted } = await new Sync(deps).run());
  } finally {
    ended.abort();
    progress.close();
    if (signal.aborted) process.stderr.write('millpond: interrupted; the same command goes on from here\n');
  }
  endIfInterrupted(signal);
  if (notDeleted > 0)
    process.stderr.write(
      `millpond: nothing was deleted, because something failed: ${notDeleted} only at the target\n`,
    );
  const { counts } = outcomes;
  const seconds = (performance.now() - begun) / 1000;
  const { copied, sent, received } = copier.bytes;
  const rest = restText(counts);
  if (options.dryRun) {
    const would = `${counts.planned - deleted} would be copied, ${deleted} deleted`;
    outcomes.end({ deleted, notDeleted }, `${would}; ${counts.skipped} the same, ${rest}`);
    return;
  }
  outcomes.end(
    { deleted, notDeleted, bytes: copied, sent, received, seconds },
    `${copiedText(counts.done - deleted, copier.bytes, seconds)}; ${deleted} deleted, ${counts.skipped} the same, ${rest}`,
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
