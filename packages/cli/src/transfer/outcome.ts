/**
 * What happens to each thing that a command works on, reported as it happens: lines or JSON, the lists for `--from`,
 * and at the end the exit code: that of the failure if all failed alike, 1 if only some did.
 */
import { MillpondError } from '@millpond/client';
import { ExitError, exitCodes } from '../exit.ts';
import { jsonText } from '../print.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { describe, factsOf } from '../report.ts';
import { type ListWriter, listWriter } from './tsv.ts';

export interface OutcomeOptions {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly successList?: string | undefined;
  readonly failureList?: string | undefined;
}

/** A thing, as `--from` needs it to name it again. */
export type Subject = readonly [source: string, target?: string];

export class OutcomeReporter {
  readonly #options: OutcomeOptions;
  readonly #successes: ListWriter;
  readonly #failures: ListWriter;
  readonly #codes = new Set<number>();
  readonly counts = { done: 0, skipped: 0, leftOut: 0, planned: 0, failed: 0 };

  constructor(options: OutcomeOptions) {
    this.#options = options;
    this.#successes = listWriter(options.successList);
    this.#failures = listWriter(options.failureList);
  }

  /** `facts` are for programs, `text` for people; undefined: nothing is printed. */
  done(subject: Subject, facts: object = {}, text?: string): void {
    this.counts.done++;
    this.#successes.add(filled(subject));
    this.#say({ ...named(subject), status: 'done', ...facts }, text);
  }

  skipped(subject: Subject, reason: string): void {
    this.counts.skipped++;
    this.#successes.add(filled(subject));
    this.#say({ ...named(subject), status: 'skipped', reason }, undefined);
  }

  /** What is already up to date, where that is not worth a line each. */
  same(): void {
    this.counts.skipped++;
  }

  /** What would be done in a dry run. */
  planned(subject: Subject, facts: object = {}, text = plannedText(subject)): void {
    this.counts.planned++;
    this.#say({ ...named(subject), status: 'planned', ...facts }, text);
  }

  /** What the command leaves out, and why. */
  leftOut(subject: Subject, reason: string): void {
    this.counts.leftOut++;
    if (this.#options.json) this.#say({ ...named(subject), status: 'leftOut', reason }, undefined);
    else if (!this.#options.quiet)
      process.stderr.write(`millpond: ${escapeForTerminal(subject[0])}: left out: ${reason}\n`);
  }

  failed(subject: Subject, error: unknown): void {
    this.counts.failed++;
    const { text, code } = describe(error);
    this.#codes.add(code);
    const status = error instanceof MillpondError ? error.status : 0;
    this.#failures.add([...filled(subject), String(status), text]);
    if (this.#options.json)
      this.#say({ ...named(subject), status: 'failed', error: factsOf(error) }, undefined);
    else process.stderr.write(`millpond: ${escapeForTerminal(subject[0])}: ${text}\n`);
  }

  /** The final line, and the exit code. */
  end(facts: object = {}, text?: string): void {
    this.#say({ status: 'summary', ...this.counts, ...facts }, text);
    const { done, skipped, planned, failed } = this.counts;
    if (failed === 0) return;
    const [only] = this.#codes;
    const isAll = done + skipped + planned === 0 && this.#codes.size === 1;
    throw new ExitError(isAll && only !== undefined ? only : exitCodes.partial);
  }

  #say(facts: object, text: string | undefined): void {
    if (this.#options.json) process.stdout.write(`${jsonText(facts)}\n`);
    else if (text !== undefined && !this.#options.quiet) process.stdout.write(`${text}\n`);
  }
}

function plannedText([source, target]: Subject): string {
  return target === undefined
    ? escapeForTerminal(source)
    : `${escapeForTerminal(source)} → ${escapeForTerminal(target)}`;
}

function named([source, target]: Subject): object {
  return target === undefined ? { source } : { source, target };
}

function filled([source, target = '']: Subject): string[] {
  return [source, target];
}
