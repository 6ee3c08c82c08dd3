/** What pytest says about each test while it runs (`-v`) and at the end (`-rfE`). */
export type Outcome = 'passed' | 'skipped' | 'failed';

export interface Results {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The line that says why, for each that failed. */
  readonly faults: ReadonlyMap<string, string>;
}

const WORDS: Readonly<Record<string, Outcome>> = {
  PASSED: 'passed',
  XPASS: 'passed',
  SKIPPED: 'skipped',
  XFAIL: 'skipped',
  FAILED: 'failed',
  ERROR: 'failed',
};
const SEVERITY: Readonly<Record<Outcome, number>> = { passed: 0, skipped: 1, failed: 2 };
const PROGRESS = /^(s3tests\/[^ ]+\.py::.+?) (PASSED|XPASS|SKIPPED|XFAIL|FAILED|ERROR)\b/;
const FAULT = /^(?:FAILED|ERROR) (s3tests\/[^ ]+\.py::.+?) - (.+)$/;

/** A test that passed and whose clean-up failed is mentioned twice, and has failed. */
export function parseResults(output: string): Results {
  const outcomes = new Map<string, Outcome>();
  const faults = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [, test, word] = PROGRESS.exec(line) ?? [];
    const outcome = WORDS[word ?? ''];
    if (test !== undefined && outcome !== undefined) {
      const before = outcomes.get(test);
      if (before === undefined || SEVERITY[before] < SEVERITY[outcome]) outcomes.set(test, outcome);
    }
    const [, failed, why] = FAULT.exec(line) ?? [];
    if (failed !== undefined && why !== undefined) faults.set(failed, why);
  }
  return { outcomes, faults };
}
