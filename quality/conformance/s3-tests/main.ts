/**
 * `npm run s3-tests -- <folder>`: the S3 listener before ceph/s3-tests. Exit codes: 0 all expected tests passed, 1 one of
 * them did not, 2 wrong usage, 3 the suite or its Python is missing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createDeployment,
  type Deployment,
  destroyDeployments,
  installS3Programs,
  startS3Server,
} from '@millpond/testing';
import { configurationFile } from './configuration.ts';
import { FILES, readLists } from './lists.ts';
import { COMMIT, type Options, parseCommand, RELEASE, UsageError, usage } from './options.ts';
import { reportOf, reportText } from './report.ts';
import { parseResults } from './results.ts';
import { MissingError, openSuite } from './suite.ts';

/** Tests end with an age of objects, a bucket's emptiness and such: what a server does now and then is done at once. */
const SETTINGS = {
  MILLPOND_REGION: 'z0',
  MILLPOND_MAX_BUCKETS: '10000',
  MILLPOND_CONTROL_CACHE: '1s',
  MILLPOND_COLLECT_EVERY: '1s',
  MILLPOND_LIFECYCLE_EVERY: '1s',
  // Many of its forms are signed so.
  MILLPOND_SIGNATURE_V2: 'true',
};

async function main(): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  if (command.kind === 'run') return runSuite(command.options);
  if (command.kind === 'help') console.log(usage);
  else {
    console.error(`downloading Debian ${RELEASE}'s packages`);
    await installS3Programs(RELEASE);
  }
  return 0;
}

async function runSuite(options: Options): Promise<number> {
  const { store, only, json } = options;
  const suite = await openSuite(options.folder, options.python);
  if (suite.strayCommit !== undefined)
    console.error(`the suite is at ${suite.strayCommit}; the lists are about ${COMMIT}`);
  const lists = readLists();
  const tests = options.all ? FILES : [...lists.expected, ...lists.further];
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-s3-tests-'));
  const deployment = await createDeployment({ store, settings: SETTINGS, log: json ? 'ignore' : 'inherit' });
  try {
    const configuration = path.join(folder, 's3.conf');
    await writeFile(configuration, await startTested(deployment), { mode: 0o600 });
    const output = await suite.run(tests, {
      configuration,
      only,
      log: options.log,
      onLine: (line) => {
        if (!json && line.includes('::') && line.endsWith('%]')) console.error(line.replaceAll(/ +/g, ' '));
      },
    });
    const results = parseResults(output);
    const chosen = (test: string) => only === undefined || results.outcomes.has(test);
    const report = reportOf(store === 's3' ? 'ceph' : 'disk', lists, results, chosen);
    console.log(json ? JSON.stringify(report) : reportText(report));
    return report.passed === report.expected ? 0 : 1;
  } finally {
    await deployment.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the server; the text of the suite's configuration. */
async function startTested(deployment: Deployment): Promise<string> {
  const server = await startS3Server(deployment, undefined);
  const account = () => deployment.createAccount();
  const [main, other, third] = [await account(), await account(), await account()];
  return configurationFile({ url: server.s3Url, region: SETTINGS.MILLPOND_REGION, main, other, third });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void destroyDeployments().finally(() => process.exit(130)));

process.exitCode = await main().catch((error: unknown) => {
  const isOurs = error instanceof UsageError || error instanceof MissingError;
  console.error(isOurs ? error.message : error);
  if (error instanceof UsageError) console.error(`\n${usage}`);
  if (error instanceof MissingError) return 3;
  return error instanceof UsageError ? 2 : 1;
});
