/** `npm run sdks -- <folder>`: Qiniu's SDKs, unmodified, against a server of its own. Options and exit codes: see options.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { dialects } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  destroyDeployments,
  freePort,
  signedFetch,
} from '@millpond/testing';
import { parseOptions, UsageError, usage } from './options.ts';
import { findSdks, type Sdk } from './programs.ts';
import { startReceiver } from './receiver.ts';
import { readOutcome, type SdkOutcome, tableText } from './rows.ts';

const SETTINGS = {
  MILLPOND_DIALECT: 'qiniu',
  MILLPOND_REGION: 'z0',
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
  MILLPOND_MEDIA_SLOTS: '1',
};
const PICTURE = path.join(import.meta.dirname, '../../../docs/pictures/buckets.png');
const MINUTES = 5;

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(usage);
    return 0;
  }
  const folder = path.resolve(options.folder);
  const { found, missing } = await findSdks(folder, options.only);
  if (found.length === 0 || missing.length > 0) {
    console.error(`missing in ${folder}: ${missing.length > 0 ? missing.join(', ') : 'any SDK'}\n${usage}`);
    return 3;
  }
  const work = await mkdtemp(path.join(tmpdir(), 'millpond-sdks-'));
  const deployment = await createDeployment({ store: options.store, settings: SETTINGS });
  const receiver = await startReceiver();
  try {
    const usual = await startServer(deployment, {});
    const outcomes: SdkOutcome[] = [];
    for (const sdk of found) {
      console.error(sdk.name);
      const bucket = `sdk-${sdk.name.toLowerCase()}`;
      const { host, url } = sdk.settings === undefined ? usual : await startServer(deployment, sdk.settings);
      const account = await deployment.createAccount(undefined, sdk.makesBucket ? undefined : bucket);
      // Those that create theirs make it private too, before they sign a download.
      if (!sdk.makesBucket) await makePrivate(url, account, bucket);
      const own = path.join(work, sdk.repository);
      await mkdir(own, { recursive: true });
      const outcome = await runProgram(sdk, path.join(folder, sdk.repository), own, {
        SDK_HOST: host,
        SDK_URL: url,
        SDK_ACCESS_KEY: account.accessKey,
        SDK_SECRET_KEY: account.secretKey,
        SDK_BUCKET: bucket,
        SDK_RECEIVER: receiver.url,
        SDK_PICTURE: PICTURE,
      });
      for (const { name, passed, detail } of outcome.calls)
        if (!passed) console.error(`  ${name}: ${detail}${sdk.fails?.includes(name) ? ' (known)' : ''}`);
      if (outcome.broken !== undefined) console.error(`  ${outcome.broken}`);
      outcomes.push(outcome);
    }
    console.log(options.json ? JSON.stringify(outcomes) : tableText(outcomes));
    return outcomes.every((outcome, index) => isRight(outcome, found[index]?.fails ?? [])) ? 0 : 1;
  } finally {
    await receiver.close();
    await deployment.destroy();
    await rm(work, { recursive: true, force: true });
  }
}

async function startServer(
  deployment: Deployment,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly host: string; readonly url: string }> {
  const host = `127.0.0.1:${await freePort()}`;
  const { url } = await deployment.start({
    settings: {
      MILLPOND_LISTEN: `http://${host}`,
      // By name: the SDK for Java asks where a bucket is without saying the port that it asks at.
      MILLPOND_HOSTS: ['up', 'io', 'rs', 'rsf', 'uc', 'api'].map((role) => `${role}=${host}`).join(','),
      ...settings,
    },
  });
  return { host, url };
}

async function makePrivate(url: string, account: Account, bucket: string): Promise<void> {
  const call = { body: `bucket=${bucket}&private=1`, dialect: dialects.qiniu };
  const { status } = await signedFetch(url, account, '/private', call);
  if (status !== 200) throw new Error(`${bucket} was not made private: ${status}`);
}

async function runProgram(
  sdk: Sdk,
  sources: string,
  work: string,
  settings: Readonly<Record<string, string>>,
): Promise<SdkOutcome> {
  let command: readonly [string, ...string[]];
  try {
    command = await sdk.start(sources, work);
  } catch (error) {
    return broken(sdk, `${String(error)}\nDebian's packages for it: ${sdk.packages.join(' ')}`);
  }
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C.UTF-8',
      HOME: work,
      ...settings,
      SDK_SOURCES: sources,
      SDK_WORK: work,
    },
    timeout: MINUTES * 60_000,
  });
  const ended = once(child, 'close').catch((error: unknown) => [error] as const);
  const [output, errors, [ending]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (ending instanceof Error) return broken(sdk, `${ending.message}: install ${sdk.packages.join(' ')}`);
  if (ending !== 0) return broken(sdk, `its program ended with ${String(ending)}: ${errors.slice(-1500)}`);
  return readOutcome(sdk.name, output);
}

function broken({ name }: Sdk, why: string): SdkOutcome {
  return { sdk: name, version: '', calls: [], broken: why };
}

/** What is known to fail must still fail: else the page about SDKs is out of date. */
function isRight({ calls, broken: why }: SdkOutcome, known: readonly string[]): boolean {
  return why === undefined && calls.every(({ name, passed }) => passed !== known.includes(name));
}

process.on('SIGINT', () => void destroyDeployments().finally(() => process.exit(130)));
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
