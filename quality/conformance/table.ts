/** The summary for people: one row per subject, then what needs attention, then one line. */
import type { Summary } from './summary.ts';

const columns = ['subject', 'statements', 'covered', 'passing', 'failing'] as const;

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
