/** The figures of a run: as the JSON line gives them, and as a table for people. */
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

const columns = ['subject', 'statements', 'covered', 'passing', 'failing'] as const;

/** One row per subject, and one for all. */
export function table(summary: Summary): string {
  const rows = Object.entries(summary.subjects).map(([subject, counts]) => cells(subject, counts));
  const lines = [[...columns], ...rows, cells('all', summary)];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, index) => align(cell, index, widths[index] ?? 0)).join('  '))
    .join('\n');
}

export function lastLine({ statements, covered, passing, failing }: Summary): string {
  return `${statements} statements, ${covered} covered, ${passing} passing, ${failing.length} failing`;
}

function cells(
  name: string,
  counts: Pick<Summary, 'statements' | 'covered' | 'passing' | 'failing'>,
): string[] {
  return [name, ...[counts.statements, counts.covered, counts.passing, counts.failing.length].map(String)];
}

function align(cell: string, index: number, width: number): string {
  return index === 0 ? cell.padEnd(width) : cell.padStart(width);
}
