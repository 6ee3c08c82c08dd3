/** The reference page: every statement, and the files whose tests show it. Deterministic for given sources. */
import type { Naming } from './naming.ts';
import type { Statement } from './statement.ts';
import { subjects } from './statement.ts';

const introduction = `# Conformance

Made by \`npm run conformance -- --page\`; do not edit. Each statement says something that a test can show.
Its source is the published interface (with the section), a decision of ours where the interface is silent, or a
trap: a place that is easy to get wrong. What the interface says is shown by the acceptance suite, over HTTP.
The last column names the files of the tests that show it. \`npm run conformance\` runs them and says which statements hold;
a change goes in only if all of them do. A statement that no test shows yet names the stage that builds it.
`;

export function page(statements: readonly Statement[], naming: Naming): string {
  const sections = subjects.map((subject) => section(subject, statements, naming));
  const withTests = statements.filter((statement) => filesOf(statement, naming).length > 0).length;
  const figures = `${statements.length} statements, ${withTests} with tests.\n`;
  return [introduction, figures, ...sections.filter((text) => text !== '')].join('\n');
}

function section(subject: string, statements: readonly Statement[], naming: Naming): string {
  const rows = statements.filter((one) => one.subject === subject).map((one) => row(one, naming));
  if (rows.length === 0) return '';
  const head = '| id | statement | source | shown by |\n|---|---|---|---|';
  return `## ${subject}\n\n${head}\n${rows.join('\n')}\n`;
}

function row(statement: Statement, naming: Naming): string {
  const { id, text, from, where, milestone } = statement;
  const source = from === 'interface' ? where : `${from}: ${where}`;
  // Names, not links: the page is also in the packages and on the site, which have no tests.
  const files = filesOf(statement, naming).map((file) => `\`${file}\``);
  const shownBy = files.length === 0 ? `not yet (${milestone})` : files.join(', ');
  return `| ${[cell(id), cell(text), cell(source), shownBy].join(' | ')} |`;
}

function filesOf({ id, from }: Statement, naming: Naming): string[] {
  const files = [...(naming.get(id) ?? [])].toSorted();
  return from === 'interface' ? files.filter((file) => file.startsWith('quality/acceptance/')) : files;
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
