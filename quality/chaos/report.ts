/** What a run found: counts of faults, each 0 in a good run, and the first of them as text. */

const FAULTS = [
  'lost',
  'torn',
  'duplicated',
  'orphans',
  'missing',
  'uncommitted',
  'uncollected',
  'misplaced',
  'stale',
  'failed',
  'wrong',
] as const;
export type Fault = (typeof FAULTS)[number];

const MAX_PROBLEMS = 20;

export class Findings {
  readonly #counts = new Map<Fault, number>();
  readonly #problems: string[] = [];

  add(fault: Fault, problem: string): void {
    this.#counts.set(fault, this.count(fault) + 1);
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(`${fault}: ${problem}`);
  }

  count(fault: Fault): number {
    return this.#counts.get(fault) ?? 0;
  }

  get good(): boolean {
    return this.#counts.size === 0;
  }

  /** The five counts that every run has, and others only if something was found. */
  toReport(): Record<string, unknown> {
    const { lost, torn, duplicated, orphans, missing, ...others } = Object.fromEntries(
      FAULTS.map((fault) => [fault, this.count(fault)]),
    );
    const found = Object.entries(others).filter(([, count]) => count !== 0);
    return {
      lost,
      torn,
      duplicated,
      orphans,
      missing,
      ...Object.fromEntries(found),
      ...(this.#problems.length === 0 ? {} : { problems: this.#problems }),
    };
  }
}
