/** `npm run s3-clients`: the tests of S3 clients with newer ones than this machine's, and their versions as a table. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installS3Programs, s3ProgramsFolder, s3ProgramVersion } from '@millpond/testing';
import { parseOptions, UsageError, usage } from './options.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

/** The clients that are run, by the names of their tests, and their packages in Debian. */
const CLIENTS = {
  'aws-cli': 'awscli',
  boto3: 'python3-boto3',
  rclone: 'rclone',
  restic: 'restic',
  s3cmd: 's3cmd',
  mc: 'minio-client',
} as const;

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
}

async function main(): Promise<number> {
  const { releases, fresh, help } = parseOptions(process.argv.slice(2));
  if (help) {
    console.log(usage);
    return 0;
  }
  const columns: string[][] = [];
  let failed = false;
  for (const release of releases) {
    if (fresh || !existsSync(s3ProgramsFolder(release))) {
      console.error(`downloading Debian ${release}'s packages`);
      await installS3Programs(release);
    }
    const broken = await failedFiles(release);
    failed ||= broken.length > 0;
    columns.push(
      Object.entries(CLIENTS).map(([name, packageName]) => {
        const version = s3ProgramVersion(release, packageName) ?? '';
        return broken.includes(name) ? `${version} (failed)` : version;
      }),
    );
  }
  console.log(table(['client', ...releases], [Object.keys(CLIENTS), ...columns]));
  return failed ? 1 : 0;
}

/** Names of the files whose tests did not all pass. */
async function failedFiles(release: string): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-s3-clients-'));
  const file = path.join(folder, 'report.json');
  const files = Object.keys(CLIENTS).map((name) => `quality/acceptance/s3/clients/${name}.test.ts`);
  try {
    const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
    const suite = ['run', '--config', 'quality/acceptance/vitest.config.ts', '--project', 'disk'];
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const child = spawn(process.execPath, [vitest, ...suite, ...reporters, ...files], {
      cwd: ROOT,
      env: { ...process.env, MILLPOND_TEST_S3_RELEASE: release },
      // Standard output is the table's.
      stdio: ['ignore', 2, 2],
    });
    await once(child, 'close');
    const { testResults } = JSON.parse(await readFile(file, 'utf8')) as Report;
    if (testResults.length < files.length) throw new Error('not all files of tests were run');
    return testResults
      .filter(({ status }) => status !== 'passed')
      .map(({ name }) => path.basename(name, '.test.ts'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function table(titles: readonly string[], columns: readonly (readonly string[])[]): string {
  const rows = (columns[0] ?? []).map((_, row) => columns.map((column) => column[row] ?? ''));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

process.exitCode = await main().catch((error: unknown) => {
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `${error.message}\n\n${usage}` : error);
  return isUsage ? 2 : 1;
});
