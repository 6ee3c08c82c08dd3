/**
 * A transcode as a task, from submission to end, against the very same ffmpeg command run bare on a local file: by the
 * clock, and by the processor time of all processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createBucket, createDeployment } from '@millpond/testing';
import type { Options } from '../options.ts';
import { median, rounded, spread } from '../statistics.ts';
import { saveas, secondsOf, submit } from '../tasks/calls.ts';
import { watchProcesses } from '../tasks/watch.ts';
import { type BucketTarget, upload } from '../upload.ts';

/** The one that the worker runs by default. */
const FFMPEG = '/usr/bin/ffmpeg';
const BUCKET = 'videos';
const LOOP_SECONDS = 10;
const COMMAND = 'avthumb/mp4/s/854x480/vcodec/libx264';

interface Figure {
  readonly wall: number;
  readonly cpu: number;
}

export async function benchTranscode(options: Options, cleanup: AsyncDisposableStack): Promise<object> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millpond-bench-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const video = await makeVideo(folder, options.seconds);
  const deployment = await createDeployment({
    store: 'disk',
    settings: { MILLPOND_PLAIN_HTTP: 'true' },
    log: options.json ? 'ignore' : 'inherit',
  });
  cleanup.defer(() => deployment.destroy());
  const { url } = await deployment.start();
  const worker = await deployment.start({ args: ['work'], settings: { MILLPOND_MEDIA_SLOTS: '1' } });
  const account = await deployment.createAccount();
  await createBucket(url, account, BUCKET);
  const site = { url, account, bucket: BUCKET };
  await upload(site, 'video', await readFile(video));
  // Opens the sandbox and the image processes, and puts the file into the cache of both sides.
  await submitAndWait(site, 'warm', 'avinfo');

  const rounds: { ours: Figure; bare: Figure }[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const watch = watchProcesses(worker.pid);
    const wall = await submitAndWait(site, `out-${round}`, COMMAND);
    const ours = { wall, cpu: watch.seconds() };
    watch.stop();
    const command = watch.commandOf('ffmpeg');
    if (command === undefined) throw new Error('the engine process was not seen');
    rounds.push({ ours, bare: await runBare(command, video, path.join(folder, `out-${round}.mp4`)) });
  }
  const column = (side: 'ours' | 'bare', name: keyof Figure) =>
    rounded(median(rounds.map((round) => round[side][name])));
  const ratios = (name: keyof Figure) => rounds.map(({ ours, bare }) => rounded(bare[name] / ours[name]));
  return {
    name: 'transcode',
    videoSeconds: options.seconds,
    ours: column('ours', 'wall'),
    bare: column('bare', 'wall'),
    ratio: rounded(median(ratios('wall'))),
    spread: spread(ratios('wall')),
    cpu: {
      ours: column('ours', 'cpu'),
      bare: column('bare', 'cpu'),
      ratio: rounded(median(ratios('cpu'))),
      spread: spread(ratios('cpu')),
    },
    rounds,
  };
}

async function submitAndWait(target: BucketTarget, key: string, command: string): Promise<number> {
  const fops = `${command}|${saveas(target, key)}`;
  return secondsOf(target, await submit(target, { key: 'video', fops, force: '1' }));
}

/** As the worker ran it, except for the paths of its files. */
async function runBare(command: readonly string[], video: string, out: string): Promise<Figure> {
  const args = command
    .slice(1)
    .map((word) =>
      word.replace(/^file:\/(?:in|source)\/0$/, `file:${video}`).replace(/^file:\/job\/.*/, `file:${out}`),
    );
  const began = performance.now();
  const child = spawn(FFMPEG, args, { stdio: 'ignore' });
  const watch = watchProcesses(child.pid ?? 0);
  const [code] = (await once(child, 'exit')) as [number | null];
  const wall = (performance.now() - began) / 1000;
  watch.stop();
  if (code !== 0) throw new Error(`bare ffmpeg exited with ${code}: ${args.join(' ')}`);
  return { wall, cpu: watch.seconds() };
}

/** A short video repeated, so that making it takes no time. */
async function makeVideo(folder: string, seconds: number): Promise<string> {
  const [short, video] = [path.join(folder, 'short.mp4'), path.join(folder, 'video.mp4')];
  await run([
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=1280x720:rate=30:duration=${Math.min(seconds, LOOP_SECONDS)}`,
    '-f',
    'lavfi',
    '-i',
    `sine=duration=${Math.min(seconds, LOOP_SECONDS)}`,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    short,
  ]);
  const times = Math.max(0, Math.ceil(seconds / LOOP_SECONDS) - 1);
  await run(['-stream_loop', String(times), '-i', short, '-c', 'copy', video]);
  return video;
}

async function run(args: readonly string[]): Promise<void> {
  const child = spawn(FFMPEG, ['-v', 'error', '-y', ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg exited with ${code}`);
}
