/** The figures of a run, as the JSON line and the table give them. */
import type { StatementRow } from './coverage.ts';
import { milestones, subjects } from './statement.ts';

interface Counts {
  readonly statements: number;
  readonly covered: number;
  readonly passing: number;
  readonly failing: readonly string[];
  readonly uncovered: readonly string[];
}

export interface Summary extends Counts {
  readonly subjects: Readonly<Record<string, Counts>>;
  readonly sources: Readonly<Record<string, Figures>>;
  readonly milestones: Readonly<Record<string, Figures>>;
}

type Figures = Pick<Counts, 'statements' | 'covered' | 'passing'>;

export function summarize(shown: readonly StatementRow[]): Summary {
  return {
    ...count(shown),
    subjects: grouped(shown, subjects, 'subject', count),
    sources: grouped(shown, ['interface', 'decision', 'trap'], 'from', figures),
    milestones: grouped(shown, milestones, 'milestone', figures),
  };
}

function count(shown: readonly StatementRow[]): Counts {
  return { ...figures(shown), failing: idsOf(shown, 'failing'), uncovered: idsOf(shown, 'uncovered') };
}

function figures(shown: readonly StatementRow[]): Figures {
  return {
    statements: shown.length,
    covered: shown.filter(({ covered }) => covered).length,
    passing: shown.filter(({ state }) => state === 'passing').length,
  };
}

function idsOf(shown: readonly StatementRow[], state: StatementRow['state']): string[] {
  return shown.filter((one) => one.state === state).map(({ statement }) => statement.id);
}

/** Groups without a statement are left out. */
function grouped<Value>(
  shown: readonly StatementRow[],
  names: readonly string[],
  field: 'subject' | 'from' | 'milestone',
  value: (group: readonly StatementRow[]) => Value,
): Record<string, Value> {
  const groups = names.map(
    (name) => [name, shown.filter(({ statement }) => statement[field] === name)] as const,
  );
  return Object.fromEntries(
    groups.filter(([, group]) => group.length > 0).map(([name, group]) => [name, value(group)]),
  );
}
