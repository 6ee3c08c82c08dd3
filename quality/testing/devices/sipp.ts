/** Many cameras in one sipp process (Debian: sip-tester): real SIP from an independent implementation. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../ports.ts';
import type { SipServer } from './camera.ts';

export interface SippCamera {
  readonly gbid: string;
  readonly password: string;
  /** A channel that is on, and one that is off. */
  readonly channels: readonly [string, string];
}

export interface SippOptions {
  readonly server: SipServer;
  readonly cameras: readonly SippCamera[];
  /** Cameras that appear per second. */
  readonly rate: number;
  readonly heartbeatMs: number;
}

export interface Sipp {
  /** Failures that sipp has counted so far. */
  failures(): Promise<number>;
  /** All cameras vanish without notice. */
  vanish(): Promise<void>;
}

const folder = path.join(import.meta.dirname, 'sipp');

export async function startSipp({ server, cameras, rate, heartbeatMs }: SippOptions): Promise<Sipp> {
  const place = await mkdtemp(path.join(tmpdir(), 'millpond-sipp-'));
  const rows = cameras.map(({ gbid, password, channels }) =>
    [gbid, `[authentication username=${gbid} password=${password}]`, ...channels].join(';'),
  );
  await writeFile(path.join(place, 'cameras.csv'), ['SEQUENTIAL', ...rows, ''].join('\n'));
  const count = String(cameras.length);
  const child = spawn(
    'sipp',
    [
      `${server.address}:${server.port}`,
      '-sf',
      path.join(folder, 'camera.xml'),
      '-oocsf',
      path.join(folder, 'answer.xml'),
      '-inf',
      path.join(place, 'cameras.csv'),
      '-i',
      '127.0.0.1',
      '-p',
      String(await freePort()),
      '-m',
      count,
      '-l',
      count,
      '-r',
      String(rate),
      '-d',
      String(heartbeatMs),
      '-key',
      'srv',
      server.serverId,
      '-key',
      'realm',
      server.realm,
      '-trace_err',
      '-error_file',
      path.join(place, 'errors.log'),
      '-nostdin',
    ],
    { cwd: place, stdio: 'ignore' },
  );
  await begun(child);
  return {
    async failures() {
      const text = await readFile(path.join(place, 'errors.log'), 'utf8').catch(() => '');
      return text.split('\n').filter((line) => /unexpected|aborting|timeout/i.test(line)).length;
    },
    async vanish() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      await rm(place, { recursive: true, force: true });
    },
  };
}

function begun(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new Error('sipp does not start: apt-get install sip-tester', { cause })),
    );
  });
}
