/** A run beside the lists. */
import type { Lists } from './lists.ts';
import type { Results } from './results.ts';

export interface Report {
  readonly store: string;
  readonly expected: number;
  readonly passed: number;
  /** Expected ones that did not pass, with pytest's reason. A skip is one of them. */
  readonly failed: Readonly<Record<string, string>>;
  /** Number of all that ran. */
  readonly ran: number;
  readonly passedInAll: number;
  /** Ones in further.txt that did not pass. */
  readonly lost: Readonly<Record<string, string>>;
  /** Ones that passed and are in neither list of those that pass: to be added to further.txt. */
  readonly gained: readonly string[];
  /** Ones that did not pass and whose reason no list has. */
  readonly unexplained: Readonly<Record<string, string>>;
}

/** `chosen`: whether a test was asked for; of the others nothing is said. */
export function reportOf(
  store: string,
  { expected, further, reasons }: Lists,
  { outcomes, faults }: Results,
  chosen: (test: string) => boolean,
): Report {
  const passes = (test: string) => outcomes.get(test) === 'passed';
  const why = (tests: readonly string[]) =>
    Object.fromEntries(
      tests.map((test) => [test, faults.get(test) ?? outcomes.get(test) ?? 'it did not run']),
    );
  const ran = [...outcomes.keys()];
  const asked = [...expected].filter(chosen);
  const known = (test: string) => expected.has(test) || further.has(test);
  return {
    store,
    expected: asked.length,
    passed: asked.filter(passes).length,
    failed: why(asked.filter((test) => !passes(test))),
    ran: ran.length,
    passedInAll: ran.filter(passes).length,
    lost: why([...further].filter((test) => chosen(test) && !passes(test))),
    gained: ran.filter((test) => passes(test) && !known(test)),
    unexplained: why(ran.filter((test) => !passes(test) && !known(test) && !reasons.has(test))),
  };
}

export function reportText(report: Report): string {
  const faults = (title: string, tests: Readonly<Record<string, string>>) => {
    const lines = Object.entries(tests).map(([test, why]) => `  ${test}\n    ${why}`);
    return lines.length === 0 ? [] : [`${title}:`, ...lines];
  };
  const { gained, ran, passedInAll, passed, expected, store } = report;
  return [
    ...faults('expected, and not passed', report.failed),
    ...faults('in further.txt, and not passed', report.lost),
    ...faults('not passed, and in no list', report.unexplained),
    ...(gained.length === 0 ? [] : ['passed, and not in further.txt yet:', ...gained.map((id) => `  ${id}`)]),
    `${store}: ${passedInAll} of ${ran} passed`,
    `${store}: ${passed} passed of ${expected} expected`,
  ].join('\n');
}
