/** Makes a target equal to its source: merges the lists of both as they arrive, and copies what differs, several at a time. */
import { rmdir } from 'node:fs/promises';
import { NotFoundError } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { runConcurrently, Semaphore } from '../transfer/concurrency.ts';
import type { Copier } from '../transfer/copy.ts';
import type { OutcomeReporter } from '../transfer/outcome.ts';
import type { TransferStep } from '../transfer/plan.ts';
import { ServerCopyRoutes } from '../transfer/routes.ts';
import { subjectOf } from '../transfer/step-names.ts';
import { isSame } from './compare.ts';
import { type Content, type Decision, SyncPlanner } from './decide.ts';
import { ExtraneousEntries } from './extraneous.ts';
import { merged } from './merge.ts';
import type { FilterRules } from './rules.ts';
import {
  type Ends,
  type ListDeps,
  nameAt,
  nothingIn,
  placeAt,
  sourceEntries,
  targetEntries,
} from './sides.ts';
import { stepOf, UnsupportedFileError } from './steps.ts';

export interface SyncDeps {
  readonly ends: Ends;
  readonly installations: Installations;
  readonly outcomeReporter: OutcomeReporter;
  readonly copier: Copier;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  readonly rules: FilterRules;
  readonly followLinks: boolean;
  readonly byTime: boolean;
  readonly partSize: number | undefined;
  readonly deletes: boolean;
  readonly dryRun: boolean;
}

/** The status of an object that `chstatus` has disabled. */
const DISABLED = 1;
const DISABLE = { action: 'disable' };
/** How many contents are read at once for comparison: more would only make a disk seek. */
const MAX_CONCURRENT_COMPARISONS = 4;
/** Copies that wait until what is in their way is deleted; any more fail. */
const MAX_WAITING = 10_000;

type Compared = Decision & { act: 'compare' };

export class Sync {
  readonly #deps: SyncDeps;
  readonly #routes: ServerCopyRoutes;
  readonly #comparing = new Semaphore(MAX_CONCURRENT_COMPARISONS);
  readonly #extras: ExtraneousEntries;
  readonly #waiting: TransferStep[] = [];
  #sources = 0;
  #disabled = 0;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.#routes = new ServerCopyRoutes(deps.installations, deps.signal);
    this.#extras = new ExtraneousEntries(deps.ends.target);
  }

  /** How many were deleted, how many would have been if nothing had failed, and how many disabled. */
  async run(): Promise<{ deleted: number; notDeleted: number; disabled: number }> {
    const { concurrency, signal, outcomeReporter } = this.#deps;
    try {
      await runConcurrently(this.#decisions(), concurrency, signal, (decision) => this.#do(decision));
      this.#checkSource();
      const isWhole = outcomeReporter.counts.failed === 0 && !signal.aborted;
      const before = outcomeReporter.counts.done + outcomeReporter.counts.planned;
      if (isWhole) await this.#delete();
      const deleted = outcomeReporter.counts.done + outcomeReporter.counts.planned - before;
      await runConcurrently(from(this.#waiting), concurrency, signal, (step) => this.#again(step, isWhole));
      return { deleted, notDeleted: isWhole ? 0 : this.#extras.count, disabled: this.#disabled };
    } finally {
      this.#extras.close();
    }
  }

  async *#decisions(): AsyncGenerator<Decision> {
    const { ends } = this.#deps;
    const syncPlanner = new SyncPlanner({ keepMarkers: ends.source.kind === 'local' });
    const sources = sourceEntries(
      ends,
      this.#list((file, name) => [file, nameAt(ends.target, name)]),
    );
    const targets = targetEntries(
      ends,
      this.#list((file) => [file]),
    );
    for await (const pair of merged(sources, targets)) {
      if (pair.source !== undefined && pair.source.kind !== 'leftOut') this.#sources++;
      yield syncPlanner.decide(pair);
    }
  }

  #list(subject: (file: string, name: string) => [string, string?]): ListDeps {
    const { outcomeReporter } = this.#deps;
    return {
      ...this.#deps,
      onFailure: (file, name, error) => outcomeReporter.failed(subject(file, name), error),
    };
  }

  async #do(decision: Decision): Promise<void> {
    const { ends, outcomeReporter, signal } = this.#deps;
    if (decision.act === 'keep') return;
    if (decision.act === 'delete') {
      if (this.#deps.deletes) this.#extras.add(decision.target.name);
      return;
    }
    const { source } = decision;
    const subject: [string, string] = [
      source.kind === 'leftOut' ? source.path : nameAt(ends.source, source.name),
      nameAt(ends.target, source.name),
    ];
    try {
      if (decision.act === 'leaveOut') outcomeReporter.leftOut(subject, decision.reason);
      else if (decision.act === 'compare' && (await this.#isSame(decision))) {
        if (isDisabledOnlyAtSource(decision)) await this.#disable(decision, subject);
        else this.#deps.outcomeReporter.same();
        this.#deps.copier.passOver(subject[0], decision.source.size);
      } else await this.#copy(decision.source, decision.target === undefined);
    } catch (error) {
      if (error instanceof UnsupportedFileError) outcomeReporter.leftOut(subject, error.message);
      else if (!signal.aborted) outcomeReporter.failed(subject, error);
    }
  }

  #isSame({ source, target }: Compared): Promise<boolean> {
    const { ends, signal, byTime, partSize } = this.#deps;
    return this.#comparing.pass(() =>
      isSame(ends, source, target, { serverCopyRoutes: this.#routes, signal, byTime, partSize }),
    );
  }

  /** What was disabled after it was copied must not stay readable at the target. What is disabled only there stays so. */
  async #disable({ target }: Compared, subject: [string, string]): Promise<void> {
    const { ends, installations, outcomeReporter, dryRun, signal } = this.#deps;
    if (ends.target.kind === 'local') return;
    this.#disabled++;
    if (dryRun) {
      outcomeReporter.planned(subject, DISABLE, `disable ${escapeForTerminal(subject[1])}`);
      return;
    }
    const { alias, bucket, key } = placeAt(ends.target, target.name);
    await installations.client(alias).objects.changeStatus(bucket, key, true, { signal });
    outcomeReporter.done(subject, DISABLE);
  }

  async #copy(source: Content, isNew: boolean): Promise<void> {
    const { ends, outcomeReporter, copier, dryRun, deletes } = this.#deps;
    const step = stepOf(ends, source, isNew);
    if (dryRun) outcomeReporter.planned(subjectOf(step), { action: 'copy' });
    else if (deletes && this.#waiting.length < MAX_WAITING)
      await copier.copy(step, () => void this.#waiting.push(step));
    else await copier.copy(step);
  }

  /** What was in its way is gone, if only the target had it; a folder without files was in no list. */
  async #again(step: TransferStep, isWhole: boolean): Promise<void> {
    if (isWhole && step.kind === 'down') await rmdir(step.file).catch(() => undefined);
    await this.#deps.copier.copy(step);
  }

  /** An unmounted folder, or a mistyped name, must not empty the target. */
  #checkSource(): void {
    const { ends, signal, outcomeReporter } = this.#deps;
    if (this.#sources > 0 || signal.aborted || outcomeReporter.counts.failed > 0) return;
    const isPlace = ends.source.kind === 'remote' && ends.source.key !== '';
    if (this.#extras.count > 0) {
      const target = escapeForTerminal(nameAt(ends.target, ''));
      throw new NotFoundError(
        `${nothingIn(ends.source).message}: nothing was deleted at ${target}, because that would delete everything there`,
      );
    }
    if (isPlace) throw nothingIn(ends.source);
  }

  #delete(): Promise<void> {
    const { dryRun } = this.#deps;
    return dryRun ? this.#extras.plan(this.#deps) : this.#extras.delete(this.#deps);
  }
}

function isDisabledOnlyAtSource({ source, target }: Compared): boolean {
  if (source.kind === 'file' || target.kind === 'file') return false;
  return source.object.status === DISABLED && target.object.status !== DISABLED;
}

async function* from<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things;
}
