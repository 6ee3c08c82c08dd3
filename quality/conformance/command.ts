/**
 * Which statements about the system are shown by tests, and do they hold. Exit code 1 when a shown statement fails, a test
 * names an unknown id, a test file could not run, or a requirement is not met; 2 when the command line is wrong.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coverage, type StatementRow, type Unknown, unknownIds } from './coverage.ts';
import { namesInTests } from './naming.ts';
import { type Options, parseOptions, usage } from './options.ts';
import { page } from './page.ts';
import { type Results, readReports } from './report.ts';
import { missing } from './requirement.ts';
import type { Statement } from './statement.ts';
import { allStatements } from './statements/index.ts';
import { runSuites } from './suites.ts';
import { lastLine, summarize, table } from './summary.ts';

const root = join(import.meta.dirname, '../..');

/** Returns the exit code. */
export async function conformance(args: readonly string[]): Promise<number> {
  return await answer(args).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  });
}

async function answer(args: readonly string[]): Promise<number> {
  const options = optionsOrUsage(args);
  if (options === undefined) return 2;
  if (options.help) {
    console.log(usage);
    return 0;
  }
  if (options.page) {
    await writePage();
    return 0;
  }
  const results = readReports(await reportTexts(options), root);
  const all = coverage(allStatements, results);
  const shown = all.filter(
    ({ statement }) => options.subjects.length === 0 || options.subjects.includes(statement.subject),
  );
  const unknown = unknownIds(allStatements, results);
  const required = missing(all, options.requirement);
  complain(shown, unknown, results, required);
  printFigures(options, shown, unknown, results, required);
  const failed = shown.some(({ state }) => state === 'failing');
  return failed || unknown.length > 0 || results.brokenFiles.length > 0 || required.length > 0 ? 1 : 0;
}

function optionsOrUsage(args: readonly string[]): Options | undefined {
  try {
    return parseOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return undefined;
  }
}

async function reportTexts({ reports }: Options): Promise<string[]> {
  if (reports.length === 0) return runSuites(root, 'to stderr');
  return Promise.all(reports.map((file) => readFile(file, 'utf8')));
}

async function writePage(): Promise<void> {
  const file = join(root, 'docs', 'reference', 'conformance.md');
  await writeFile(file, page(allStatements, await namesInTests(root)));
}

function complain(
  shown: readonly StatementRow[],
  unknown: readonly Unknown[],
  { brokenFiles }: Results,
  required: readonly Statement[],
): void {
  for (const file of brokenFiles) console.error(`could not run: ${file}`);
  for (const { id, test } of unknown) console.error(`unknown id ${id}: "${test.title}" in ${test.file}`);
  for (const { statement, tests } of shown.filter(({ state }) => state === 'failing')) {
    const failed = tests.filter(({ outcome }) => outcome === 'failed').map(({ title }) => `"${title}"`);
    console.error(`failing ${statement.id}: ${failed.join(', ')}`);
  }
  for (const { id, text } of required) console.error(`required and not passing ${id}: ${text}`);
}

function printFigures(
  { json }: Options,
  shown: readonly StatementRow[],
  unknown: readonly Unknown[],
  { brokenFiles }: Results,
  required: readonly Statement[],
): void {
  const summary = summarize(shown);
  if (!json) {
    console.log(`${table(summary)}\n\n${lastLine(summary)}`);
    return;
  }
  const ids = [...new Set(unknown.map(({ id }) => id))];
  const missingIds = required.map(({ id }) => id);
  console.log(JSON.stringify({ ...summary, unknownIds: ids, brokenFiles, missing: missingIds }));
}
