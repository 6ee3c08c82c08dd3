/** The live runs of `millpond dev`, queried through their sockets. */
import { request } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { UsageError } from '../exit.ts';
import type { DevStatus } from './control.ts';
import { type RunFolder, runFolders } from './folders.ts';

export interface LiveRun extends DevStatus {
  readonly folder: RunFolder;
}

const RESPONSE_TIMEOUT_MS = 60_000;

export async function liveRuns(): Promise<LiveRun[]> {
  const asked = runFolders().map(async (folder) => {
    try {
      return [{ ...(await ask(folder, 'GET', '/healthz')), folder }];
    } catch {
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}

/** The run at this port; without a port, the one started from this folder, or the only one. */
export async function findRun(port: number | undefined): Promise<LiveRun> {
  const runs = await liveRuns();
  const chosen = port === undefined ? runs : runs.filter((each) => each.port === port);
  const here = chosen.filter((each) => each.startedIn === process.cwd());
  const [run, another] = here.length > 0 ? here : chosen;
  if (run === undefined)
    throw new UsageError(
      port === undefined ? '`millpond dev` is not running' : `no \`millpond dev\` is running at port ${port}`,
    );
  if (another !== undefined)
    throw new UsageError(`several are running: ${runs.map(runText).join('; ')}: select one with --port`);
  return run;
}

/** For actions that can't be undone: a run that was started elsewhere has to be named. */
export async function findOwnRun(port: number | undefined): Promise<LiveRun> {
  const run = await findRun(port);
  if (port === undefined && run.startedIn !== process.cwd())
    throw new UsageError(`running: ${runText(run)}; give --port ${run.port} if you mean that one`);
  return run;
}

export function runText({ port, startedIn }: LiveRun): string {
  return `the one at port ${port}, started in ${startedIn}`;
}

export async function ask(folder: RunFolder, method: string, path: string): Promise<DevStatus> {
  const options = { socketPath: folder.socket, method, path, timeout: RESPONSE_TIMEOUT_MS, agent: false };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const sent = request(options, (answer) => {
    readAll(answer).then((body) => {
      if (answer.statusCode === 500) reject(new Error((JSON.parse(body) as { error: string }).error));
      else resolve(body);
    }, reject);
  });
  sent.once('error', reject).once('timeout', () => sent.destroy(new Error('no answer')));
  sent.end();
  return JSON.parse(await promise) as DevStatus;
}
