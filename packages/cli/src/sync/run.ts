/** Makes a target equal to its source: merges the lists of both as they arrive, and copies what differs, several at a time. */
import { rmdir } from 'node:fs/promises';
import { NotFound } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import { shown } from '../remote/text.ts';
import type { Copier } from '../transfer/copy.ts';
import { Gate, runLanes } from '../transfer/lanes.ts';
import type { Outcomes } from '../transfer/outcome.ts';
import type { Step } from '../transfer/plan.ts';
import { Routes } from '../transfer/routes.ts';
import { subjectOf } from '../transfer/step-names.ts';
import { isSame } from './compare.ts';
import { type Content, Decider, type Decision } from './decide.ts';
import {
  type Ends,
  type ListDeps,
  nameAt,
  nothingIn,
  placeAt,
  sourceEntries,
  targetEntries,
} from './ends.ts';
import { Extras } from './extras.ts';
import { merged } from './merge.ts';
import type { Rules } from './rules.ts';
import { NotForFiles, stepOf } from './steps.ts';

export interface SyncDeps {
  readonly ends: Ends;
  readonly installations: Installations;
  readonly outcomes: Outcomes;
  readonly copier: Copier;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  readonly rules: Rules;
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
const COMPARED_AT_A_TIME = 4;
/** Copies that wait until what is in their way is deleted; any more fail. */
const MOST_WAITING = 10_000;

type Compared = Decision & { act: 'compare' };

export class Sync {
  readonly #deps: SyncDeps;
  readonly #routes: Routes;
  readonly #comparing = new Gate(COMPARED_AT_A_TIME);
  readonly #extras: Extras;
  readonly #waiting: Step[] = [];
  #sources = 0;
  #disabled = 0;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.#routes = new Routes(deps.installations, deps.signal);
    this.#extras = new Extras(deps.ends.target);
  }

  /** How many were deleted, how many would have been if nothing had failed, and how many disabled. */
  async run(): Promise<{ deleted: number; notDeleted: number; disabled: number }> {
    const { concurrency, signal, outcomes } = this.#deps;
    try {
      await runLanes(this.#decisions(), concurrency, signal, (decision) => this.#do(decision));
      this.#checkSource();
      const isWhole = outcomes.counts.failed === 0 && !signal.aborted;
      const before = outcomes.counts.done + outcomes.counts.planned;
      if (isWhole) await this.#delete();
      const deleted = outcomes.counts.done + outcomes.counts.planned - before;
      await runLanes(from(this.#waiting), concurrency, signal, (step) => this.#again(step, isWhole));
      return { deleted, notDeleted: isWhole ? 0 : this.#extras.count, disabled: this.#disabled };
    } finally {
      this.#extras.close();
    }
  }

  async *#decisions(): AsyncGenerator<Decision> {
    const { ends } = this.#deps;
    const decider = new Decider({ keepMarkers: ends.source.kind === 'local' });
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
      yield decider.decide(pair);
    }
  }

  #list(subject: (file: string, name: string) => [string, string?]): ListDeps {
    const { outcomes } = this.#deps;
    return {
      ...this.#deps,
      onFailure: (file, name, error) => outcomes.failed(subject(file, name), error),
    };
  }

  async #do(decision: Decision): Promise<void> {
    const { ends, outcomes, signal } = this.#deps;
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
      if (decision.act === 'leaveOut') outcomes.leftOut(subject, decision.reason);
      else if (decision.act === 'compare' && (await this.#isSame(decision))) {
        if (isDisabledOnlyAtSource(decision)) await this.#disable(decision, subject);
        else this.#deps.outcomes.same();
        this.#deps.copier.passOver(subject[0], decision.source.size);
      } else await this.#copy(decision.source, decision.target === undefined);
    } catch (error) {
      if (error instanceof NotForFiles) outcomes.leftOut(subject, error.message);
      else if (!signal.aborted) outcomes.failed(subject, error);
    }
  }

  #isSame({ source, target }: Compared): Promise<boolean> {
    const { ends, signal, byTime, partSize } = this.#deps;
    return this.#comparing.pass(() =>
      isSame(ends, source, target, { routes: this.#routes, signal, byTime, partSize }),
    );
  }

  /** What was disabled after it was copied must not stay readable at the target. What is disabled only there stays so. */
  async #disable({ target }: Compared, subject: [string, string]): Promise<void> {
    const { ends, installations, outcomes, dryRun, signal } = this.#deps;
    if (ends.target.kind === 'local') return;
    this.#disabled++;
    if (dryRun) {
      outcomes.planned(subject, DISABLE, `disable ${shown(subject[1])}`);
      return;
    }
    const { alias, bucket, key } = placeAt(ends.target, target.name);
    await installations.client(alias).objects.changeStatus(bucket, key, true, { signal });
    outcomes.done(subject, DISABLE);
  }

  async #copy(source: Content, isNew: boolean): Promise<void> {
    const { ends, outcomes, copier, dryRun, deletes } = this.#deps;
    const step = stepOf(ends, source, isNew);
    if (dryRun) outcomes.planned(subjectOf(step), { action: 'copy' });
    else if (deletes && this.#waiting.length < MOST_WAITING)
      await copier.copy(step, () => void this.#waiting.push(step));
    else await copier.copy(step);
  }

  /** What was in its way is gone, if only the target had it; a folder without files was in no list. */
  async #again(step: Step, isWhole: boolean): Promise<void> {
    if (isWhole && step.kind === 'down') await rmdir(step.file).catch(() => undefined);
    await this.#deps.copier.copy(step);
  }

  /** An unmounted folder, or a mistyped name, must not empty the target. */
  #checkSource(): void {
    const { ends, signal, outcomes } = this.#deps;
    if (this.#sources > 0 || signal.aborted || outcomes.counts.failed > 0) return;
    const isPlace = ends.source.kind === 'remote' && ends.source.key !== '';
    if (this.#extras.count > 0) {
      const target = shown(nameAt(ends.target, ''));
      throw new NotFound(
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
