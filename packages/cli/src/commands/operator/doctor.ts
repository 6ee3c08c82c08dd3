/** `millpond doctor`: checks everything a deployment needs, and says what to do about what it finds. */
import {
  type Config,
  ConfigError,
  type Diagnosis,
  diagnoseBlobs,
  diagnoseClock,
  diagnoseColdClass,
  diagnoseDatabase,
  diagnoseDevices,
  diagnoseEgress,
  diagnoseLive,
  diagnoseMasterKeys,
  diagnosePrograms,
  diagnoseSandbox,
} from '@millpond/server';
import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../../config.ts';
import { diagnoseEndpoint } from '../../doctor/endpoint.ts';
import { exitCodes } from '../../exit.ts';
import { type OperatorOptions, operatorCommand } from '../../operator.ts';
import { print } from '../../print.ts';

interface DoctorOptions extends OperatorOptions {
  readonly url: readonly string[];
  readonly egress: readonly string[];
  readonly without: readonly Part[];
}

/** What an installation may be without on purpose, and what is off then. */
const PARTS = {
  sandbox: ['sandbox'],
  media: ['ffmpeg', 'ffprobe'],
} as const;
type Part = keyof typeof PARTS;

const RESPONSE_TIMEOUT_MS = 5000;
const KEY_FILE_REMEDY =
  'owned by root, readable by the group that the server runs as and by nobody else: chown root:millpond, chmod 640';
const MARKS = { good: 'good', bad: 'BAD', off: 'OFF', advice: 'note', skipped: '-' } as const;

export function addDoctor(program: Command): void {
  const gather = (value: string, before: readonly string[]) => [...before, value];
  operatorCommand(program, 'doctor', 'find what is wrong with an installation and how to fix it')
    .addHelpText(
      'after',
      '\nIt checks this machine, its engines and the proxies in front, and changes nothing. Exit code 0: no problems, 1: problems found.',
    )
    .option(
      '--url <address>',
      'public address of the api host, to check proxies; may be repeated',
      gather,
      [],
    )
    .option(
      '--egress <url>',
      'URL of a receiver, to check whether callbacks reach it; may be repeated',
      gather,
      [],
    )
    .option(
      '--without <parts>',
      'parts that are off on purpose, such as sandbox,media: not a problem; may be repeated',
      readParts,
      [],
    )
    .action(async (options: DoctorOptions) => {
      let found = false;
      for await (const diagnosis of diagnoses(options)) {
        const judged = onPurpose(diagnosis, options.without);
        found ||= judged.state === 'bad' || judged.state === 'off';
        print(options, judged, lineOf(judged));
      }
      process.exitCode = found ? exitCodes.partial : exitCodes.done;
    });
}

function readParts(text: string, before: readonly Part[]): readonly Part[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !Object.hasOwn(PARTS, name));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`There is no part "${wrong}": they are ${Object.keys(PARTS).join(', ')}.`);
  return [...before, ...(names as Part[])];
}

/** What is there nevertheless is reported as it is; what is broken stays a problem. */
function onPurpose(diagnosis: Diagnosis, without: readonly Part[]): Diagnosis {
  const { check, state } = diagnosis;
  const isPart = without.some((part) => PARTS[part].some((name) => name === check));
  return state === 'off' && isPart ? { check, state: 'skipped', said: 'off on purpose' } : diagnosis;
}

function lineOf({ check, state, said, remedy }: Diagnosis): string {
  const line = `${MARKS[state].padEnd(5)} ${check}: ${said}`;
  return remedy === undefined ? line : `${line}\n      → ${remedy}`;
}

/** One by one as they finish: some take seconds. */
async function* diagnoses(options: DoctorOptions): AsyncGenerator<Diagnosis> {
  const config = readableConfig(options);
  if (Array.isArray(config)) yield* config;
  else yield* ofServer(config as Config, options.egress);
  for (const url of options.url) yield* await diagnoseEndpoint(url);
}

async function* ofServer(config: Config, egress: readonly string[]): AsyncGenerator<Diagnosis> {
  yield { check: 'configuration', state: 'good', said: 'can be read' };
  yield* await diagnoseDatabase(config, 'control');
  yield* await diagnoseDatabase(config, 'region');
  yield await diagnoseMasterKeys(config);
  yield await diagnoseBlobs(config);
  yield* await diagnoseColdClass(config);
  if (config.blobs === 's3' && config.s3Endpoint !== undefined) yield* await engineClock(config.s3Endpoint);
  yield* await diagnoseSandbox(config);
  yield* await diagnosePrograms(config);
  yield* await diagnoseLive(config);
  yield await diagnoseDevices(config);
  for (const url of egress) yield await diagnoseEgress(config, url);
  if (egress.length === 0)
    yield { check: 'route to receivers', state: 'skipped', said: 'give the URL of one with --egress' };
}

/** The configuration, or what is wrong with it. */
function readableConfig(options: DoctorOptions): Config | Diagnosis[] {
  try {
    return loadConfig(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(ofFault);
  }
}

function ofFault(said: string): Diagnosis {
  if (!said.startsWith('MILLPOND_MASTER_KEY'))
    return { check: 'configuration', state: 'bad', said, remedy: 'see docs/reference/configuration.md' };
  if (said.startsWith('MILLPOND_MASTER_KEY_FILE'))
    return { check: 'master key', state: 'bad', said, remedy: KEY_FILE_REMEDY };
  const remedy =
    'a new deployment: MILLPOND_MASTER_KEY="2026:$(openssl rand -base64 32)", and keep a copy elsewhere; ' +
    'an existing one: take it from your backup, because nothing else decrypts its access keys';
  return { check: 'master key', state: 'bad', said, remedy };
}

/** Signatures for the engine carry a time. */
async function engineClock(endpoint: string): Promise<Diagnosis[]> {
  try {
    const before = Date.now();
    const answer = await fetch(endpoint, {
      method: 'HEAD',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const time = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isNaN(time)) return [];
    return [diagnoseClock('clock of the engine', time + 500 - (before + Date.now()) / 2)];
  } catch {
    // It was already reported that it does not answer.
    return [];
  }
}
