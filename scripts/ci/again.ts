/**
 * Reruns the test files that failed, each alone, and puts their second results into the report. What passes then is
 * noted as flaky: it lets the change pass, and is a fault to fix in the next one. Exit code 1 if tests fail again, as
 * the report then says; 2 if something fails that is in no report.
 *
 * node scripts/ci/again.ts <folder of reports> <suite> [arguments of vitest]
 *
 * In the folder: <suite>.json, <suite>-strays.json, and `flaky`, to which lines are added.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  failuresOf,
  filesToRepeat,
  type Report,
  type Strays,
  type Unhandled,
  withReasons,
  withSecondRun,
} from './report.ts';

/** More than that is not a flake, and would take longer than it is worth. */
const MAX_FILES = 20;
const root = path.join(import.meta.dirname, '../..');

const [folder = '', suite = '', ...args] = process.argv.slice(2);
const at = (name: string): string => path.join(folder, name);
const reportFile = at(`${suite}.json`);

process.exit(main());

function main(): number {
  if (!existsSync(reportFile)) {
    console.log(`${suite}: vitest wrote no report`);
    return 2;
  }
  const { unhandled, hooks } = readStrays(at(`${suite}-strays.json`));
  let report = withReasons(readReport(reportFile), hooks);
  const files = filesToRepeat(report, unhandled);
  for (const { message, file } of unhandled)
    if (file === undefined) console.log(`${suite}: an uncaught error: ${message}`);
  if (files.length > MAX_FILES) {
    console.log(`${suite}: ${files.length} files failed: not run again`);
    return 1;
  }
  let ending = files.length > 0 && unhandled.every(({ file }) => file !== undefined) ? 0 : 2;
  for (const file of files) {
    const [second, strays] = runAlone(file);
    report = second === undefined ? report : withSecondRun(report, second, file);
    const stillFails = strays > 0 || failuresOf(report).some((failure) => failure.file === file);
    if (stillFails) ending = Math.max(ending, strays > 0 ? 2 : 1);
    else noteFlaky(file, unhandled);
  }
  writeFileSync(reportFile, JSON.stringify(report));
  return ending;
}

function runAlone(file: string): [Report | undefined, number] {
  const [output, strays] = [at(`${suite}-again.json`), at(`${suite}-again-strays.json`)];
  for (const each of [output, strays]) rmSync(each, { force: true });
  console.log(`\n--- again: ${path.relative(root, file)}`);
  const reporters = ['--reporter=default', '--reporter=json', '--reporter=./scripts/ci/strays.ts'];
  spawnSync('vitest', ['run', ...args, ...reporters, `--outputFile.json=${output}`, file], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MILLPOND_CI_STRAYS: strays },
  });
  const { unhandled, hooks } = readStrays(strays);
  return [existsSync(output) ? withReasons(readReport(output), hooks) : undefined, unhandled.length];
}

function noteFlaky(file: string, unhandled: readonly Unhandled[]): void {
  const tests = failuresOf(first()).filter((failure) => failure.file === file);
  const lines = [
    ...tests.map(({ test, reason }) => `${test} (${firstLine(reason)})`),
    ...unhandled
      .filter((stray) => stray.file === file)
      .map(({ test = '', message }) => `${test} (not caught: ${firstLine(message)})`),
  ];
  for (const line of lines) appendFileSync(at('flaky'), `flaky: ${path.relative(root, file)} ${line}\n`);
}

/** The report as the whole run wrote it: it is replaced only at the end. */
function first(): Report {
  return withReasons(readReport(reportFile), readStrays(at(`${suite}-strays.json`)).hooks);
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}

function readReport(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

function readStrays(file: string): Strays {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Strays) : { unhandled: [], hooks: [] };
}
