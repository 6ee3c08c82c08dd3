/** The suite itself: whether it and a Python for it are here, and a run of it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { s3ProgramsPrefix } from '@millpond/testing';
import { FILES } from './lists.ts';
import { COMMIT, RELEASE, REPOSITORY } from './options.ts';

const run = promisify(execFile);
const MODULES = ['boto3', 'pytest', 'munch', 'isodate', 'pytz', 'requests', 'httplib2', 'lxml', 'yaml'];
const OLDEST_BOTO3 = [1, 36];
/** Reasons are cut at the width of the terminal. */
const WIDTH = '400';

/** Something that the caller has to get first. */
export class MissingError extends Error {}

export interface Suite {
  /** Another state of it than that of the lists. */
  readonly strayCommit: string | undefined;
  /** pytest's output; `onLine` gets it while it runs. */
  run(
    tests: readonly string[],
    options: {
      readonly configuration: string;
      readonly only: string | undefined;
      readonly log: string | undefined;
      readonly onLine: (line: string) => void;
    },
  ): Promise<string>;
}

export async function openSuite(folder: string, python: string | undefined): Promise<Suite> {
  const place = path.resolve(folder);
  const absent = FILES.find((file) => !existsSync(path.join(place, file)));
  if (absent !== undefined)
    throw new MissingError(
      `${place} is no checkout of the suite: it has no ${absent}. Get it with\n` +
        `  git clone ${REPOSITORY} ${folder} && git -C ${folder} checkout ${COMMIT}`,
    );
  const [program = '', ...before] = await pythonFor(place, python);
  return {
    strayCommit: await strayCommit(place),
    async run(tests, { configuration, only, log, onLine }) {
      const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', '-v', '--tb=short', '-rfE', '--color=no'];
      const args = [...before, ...pytest, ...(only === undefined ? [] : ['-k', only]), ...tests];
      const child = spawn(program, args, {
        cwd: place,
        env: environmentOf(configuration),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const file = log === undefined ? undefined : createWriteStream(log);
      let output = '';
      let shown = 0;
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        file?.write(text);
        for (let end = output.indexOf('\n', shown); end >= 0; end = output.indexOf('\n', shown)) {
          onLine(output.slice(shown, end));
          shown = end + 1;
        }
      });
      const [code] = (await once(child, 'close')) as [number | null];
      file?.end();
      // 0: all passed, 1: some did not, 5: none was chosen. Others: pytest itself could not go on.
      if (code !== 0 && code !== 1 && code !== 5)
        throw new Error(`pytest ended with ${code}:\n${output.slice(-4000)}`);
      return output;
    },
  };
}

/** Nothing of this machine's own accounts, and no question to the cloud's metadata service. */
function environmentOf(configuration: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/tmp',
    COLUMNS: WIDTH,
    PYTHONDONTWRITEBYTECODE: '1',
    // The native signer, where it is installed, refuses headers that tests send on purpose.
    BOTO_DISABLE_CRT: 'true',
    S3TEST_CONF: configuration,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
}

/** The beginning of a command line of a Python that has what the suite imports. */
async function pythonFor(folder: string, python: string | undefined): Promise<string[]> {
  const prefix = python === undefined ? s3ProgramsPrefix(RELEASE, [folder]) : undefined;
  const command =
    prefix === undefined ? [python ?? 'python3'] : [...prefix, '--chdir', folder, '/usr/bin/python3'];
  const [program = '', ...before] = command;
  const script = `import ${MODULES.join(', ')}; print(boto3.__version__)`;
  const found = await run(program, [...before, '-c', script], { env: environmentOf('') }).catch(
    (error: unknown) => (error as { stderr?: string }).stderr ?? String(error),
  );
  if (typeof found === 'string')
    throw new MissingError(
      `${command.at(-1)} can't run the suite: ${found.trim().split('\n').at(-1)}. It needs ${MODULES.join(', ')}.\n${REMEDY}`,
    );
  const [major = 0, minor = 0] = found.stdout.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_BOTO3;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    throw new MissingError(
      `${command.at(-1)} has boto3 ${found.stdout.trim()}, and the suite needs ${OLDEST_BOTO3.join('.')} or newer.\n${REMEDY}`,
    );
  return command;
}

const REMEDY = `Make one with: npm run s3-tests -- --setup (Debian ${RELEASE}'s packages, in .s3-programs)`;

/** Undefined also where the folder is no git checkout: nobody can tell. */
async function strayCommit(folder: string): Promise<string | undefined> {
  if (!existsSync(path.join(folder, '.git'))) return undefined;
  const { stdout } = await run('git', ['-C', folder, 'rev-parse', 'HEAD']);
  return stdout.trim() === COMMIT ? undefined : stdout.trim();
}
