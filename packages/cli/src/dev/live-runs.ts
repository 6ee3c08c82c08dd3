/** The runs of `millpond dev` that are alive, asked at their sockets. */
import { request } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { UsageFault } from '../exit.ts';
import type { DevStatus } from './control.ts';
import { type RunFolder, runFolders } from './folders.ts';

export interface LiveRun extends DevStatus {
  readonly folder: RunFolder;
}

const ANSWER_WITHIN_MS = 60_000;

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

/** The one that is meant: by its port, or because there is only one. */
export async function findRun(port: number | undefined): Promise<LiveRun> {
  const runs = await liveRuns();
  const [run, another] = port === undefined ? runs : runs.filter((each) => each.port === port);
  if (run === undefined)
    throw new UsageFault(
      port === undefined ? '`millpond dev` is not running' : `no \`millpond dev\` is running at port ${port}`,
    );
  if (another !== undefined)
    throw new UsageFault(
      `several are running, at the ports ${runs.map((each) => each.port).join(', ')}: say which by --port`,
    );
  return run;
}

export async function ask(folder: RunFolder, method: string, path: string): Promise<DevStatus> {
  const options = { socketPath: folder.socket, method, path, timeout: ANSWER_WITHIN_MS, agent: false };
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
