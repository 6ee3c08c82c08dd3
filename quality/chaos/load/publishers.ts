/** Publishers that flap: hundreds of light ones, and a few real ones. Each knows whether it is publishing now. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Random } from '@millpond/testing';
import { publishRtmp } from '@millpond/testing';

/** One connection of an accepted publisher. */
interface Connection {
  /** Resolves when it has ended, whichever side ended it. */
  readonly closed: Promise<void>;
  close(): void;
}
/** Undefined: refused, or nobody there. */
type Connect = () => Promise<Connection | undefined>;

export interface FlappingPublisher {
  readonly streamId: string;
  /** How often it was accepted. */
  readonly times: number;
  readonly isPublishing: boolean;
  /** Publishes and ends at random until `signal`; then stays in its intended final state. */
  flap(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const MIN_PHASE_MS = 300;
const MAX_ON_MS = 6_000;
const MAX_OFF_MS = 4_000;
/** A real one that was refused exits by itself before that. */
const SURELY_IN_MS = 4_000;

export function flappingPublisher(streamId: string, connect: Connect, random: Random): FlappingPublisher {
  let connection: Connection | undefined;
  let times = 0;
  const open = async () => {
    const opened = await connect().catch(() => undefined);
    if (opened === undefined) return;
    times++;
    connection = opened;
    void opened.closed.then(() => {
      if (connection === opened) connection = undefined;
    });
  };
  const endsPublishing = random.next() < 0.5;
  return {
    streamId,
    get times() {
      return times;
    },
    get isPublishing() {
      return connection !== undefined;
    },
    async flap(signal) {
      const wait = (most: number) =>
        sleep(random.integer(MIN_PHASE_MS, most), undefined, { signal }).catch(() => undefined);
      while (!signal.aborted) {
        await open();
        await wait(MAX_ON_MS);
        if (signal.aborted) break;
        connection?.close();
        await connection?.closed;
        await wait(MAX_OFF_MS);
      }
      if (!endsPublishing) connection?.close();
      while (endsPublishing && connection === undefined) {
        await open();
        if (connection === undefined) await sleep(MIN_PHASE_MS);
      }
    },
    async close() {
      connection?.close();
      await connection?.closed;
    },
  };
}

export function lightConnect(url: string): Connect {
  return async () => {
    const publisher = await publishRtmp(url);
    if (publisher.accepted) return publisher;
    publisher.close();
    return undefined;
  };
}

export function ffmpegConnect(video: string, url: string): Connect {
  return async () => {
    const child: ChildProcess = spawn(
      'ffmpeg',
      ['-v', 'error', '-nostdin', '-re', '-stream_loop', '-1', '-i', video, '-c', 'copy', '-f', 'flv', url],
      { stdio: 'ignore' },
    );
    const closed = once(child, 'exit').then(() => undefined);
    await Promise.race([closed, sleep(SURELY_IN_MS)]);
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    return { closed, close: () => void child.kill('SIGKILL') };
  };
}

export async function makeVideo(file: string): Promise<void> {
  await promisify(execFile)('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=160x120:rate=10',
    '-t',
    '10',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '10',
    '-pix_fmt',
    'yuv420p',
    '-f',
    'flv',
    file,
  ]);
}
