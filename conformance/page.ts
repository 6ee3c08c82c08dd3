/** The reference page: every statement, what shows it and how it stands. Deterministic for given results. */
import type { Shown } from './coverage.ts';
import { subjects } from './statement.ts';
import { summarize } from './summary.ts';

const introduction = `# Conformance

Made by \`npm run conformance -- --page\`; do not edit. Each statement says something that a test can show.
Its source is the published interface (with the section), a decision of ours where the interface is silent, or a
trap: a place that is easy to get wrong. What the interface says is shown by the acceptance suite, over HTTP.
A statement that is not shown yet names the stage that builds it.
`;

export function page(shown: readonly Shown[]): string {
  const sections = subjects.map((subject) => section(subject, shown)).filter((text) => text !== '');
  const { statements, covered, passing } = summarize(shown);
  const figures = `${statements} statements, ${covered} covered, ${passing} passing.\n`;
  return [introduction, figures, ...sections].join('\n');
}

function section(subject: string, shown: readonly Shown[]): string {
  const rows = shown.filter(({ statement }) => statement.subject === subject).map(row);
  if (rows.length === 0) return '';
  const head = '| id | statement | source | shown by | state |\n|---|---|---|---|---|';
  return `## ${subject}\n\n${head}\n${rows.join('\n')}\n`;
}

function row({ statement, state, tests }: Shown): string {
  const titles = [...new Set(tests.map(({ title }) => title))].toSorted();
  const source = statement.from === 'interface' ? statement.where : `${statement.from}: ${statement.where}`;
  const standing = state === 'uncovered' ? `not yet (${statement.milestone})` : state;
  const cells = [statement.id, statement.text, source, titles.join('; '), standing];
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** Outside code spans `<bucket>` would be taken for HTML; inside them an entity would be shown as it is written. */
function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').replaceAll('\n', ' ').split('`');
  const closed = parts.length % 2 === 1;
  return parts.map((part, index) => (closed && index % 2 === 1 ? part : escapeHtml(part))).join('`');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');
}
