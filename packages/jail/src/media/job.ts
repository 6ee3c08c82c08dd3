/**
 * One command under way: its sources inside the sandbox, its engines, its limits. Sources lie in a separate folder that the
 * engines see read-only as /in, so that they write nowhere but into their working directory, where results are named without a
 * folder.
 */
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MediaSource } from '@millpond/blobs';
import type { Plan } from '@millpond/protocol';
import { CONTAINERS, probeArguments } from '../inspect/media.ts';
import type { FileMount, Sandbox } from '../sandbox/index.ts';
import { ProcessingError } from './failure.ts';
import { processorSeconds, runFfmpeg, throwIfFailed } from './ffmpeg.ts';
import { type ImageBounds, type ImageMaker, persistentImageBounds } from './image-maker.ts';
import { type MediaLimits, sandboxLimits } from './limits.ts';
import { type MediaFacts, readMediaFacts } from './probe.ts';
import { noStageClock } from './stage-clock.ts';
import type { MediaJob, MediaResult } from './types.ts';

/** Some is always left until the result has been checked. */
const ALMOST = 0.99;

export interface JobTools {
  /** Throws if this machine can't run such programs. */
  readonly sandbox: () => Sandbox;
  readonly pathOf: Sandbox['pathOf'];
  readonly ffmpeg: string;
  readonly ffprobe: string;
  /** Threads of an encoder; 0: as many as it likes. */
  readonly threads: number;
  readonly images: ImageMaker;
}

export interface CommandContext {
  readonly sources: readonly MediaSource[];
  /** The only folder that engines write to. */
  readonly folder: string;
  readonly limits: MediaLimits;
  readonly signal: AbortSignal;
  readonly images: ImageMaker;
  readonly imageBounds: Omit<ImageBounds, 'wallMs'>;
  readonly addressOf: MediaJob['addressOf'];
  source(index: number): MediaSource;
  /** The path of a complete source inside the sandbox. */
  input(index: number): Promise<string>;
  /** A file of ours, shown to the engines; returns its path inside the sandbox. */
  note(name: string, content: string | Uint8Array): Promise<string>;
  /** The path outside the sandbox too, for sources that are put there in another way. */
  notePath(name: string): { readonly outside: string; readonly inside: string };
  /** Facts of a media file, by its path inside the sandbox; fails if it is not one. */
  probe(inside: string): Promise<MediaFacts>;
  /** What ffprobe prints of a media file with these options, instead of its streams and format. */
  inspect(inside: string, options: readonly string[]): Promise<string>;
  /**
   * Runs ffmpeg, and returns the end of what it said. `seconds`: how long the result will be, for the progress; `from`, `to`: its
   * share of all work.
   */
  ffmpeg(
    args: readonly string[],
    progress?: { seconds: number | undefined; from?: number; to?: number },
  ): Promise<string>;
  /** Says what a user should know about the result, such as a track that it lacks; the command goes on. */
  warn(sentence: string): void;
}

export function openCommandContext(
  tools: JobTools,
  request: Omit<MediaJob, 'plan'>,
  limits: MediaLimits,
  inputs: string,
  folder: string,
  warn: CommandContext['warn'],
): CommandContext {
  const { signal, sources, tenant, clock = noStageClock } = request;
  const inputsMount: FileMount = { source: inputs, target: '/in' };
  const mounts: FileMount[] = [inputsMount];
  const seen = (mount: FileMount) => tools.pathOf(mount, folder);
  const ready = new Map<number, Promise<string>>();

  const tell = (fraction: number): void => request.onProgress?.(Math.min(ALMOST, fraction));

  function sourceAt(index: number): MediaSource {
    const found = sources[index];
    if (found === undefined) throw new ProcessingError('source', 'a source is missing');
    return found;
  }

  async function makeReady(index: number): Promise<string> {
    const source = sourceAt(index);
    if (source.path !== undefined) {
      const mount = { source: source.path, target: `/source/${index}` };
      mounts.push(mount);
      return seen(mount);
    }
    await clock.within('fetch', () => copy(source, path.join(inputs, String(index)), signal));
    return `${seen(inputsMount)}/${index}`;
  }

  async function inspect(inside: string, options?: readonly string[]): Promise<string> {
    const args = probeArguments(VIDEOS, inside, options);
    const began = performance.now();
    const run = await clock.within('probe', () =>
      tools.sandbox().run({
        program: tools.ffprobe,
        args,
        mounts,
        jobDir: folder,
        limits: { ...sandboxLimits(limits), wallMs: Math.min(limits.wallMs, 60_000) },
        signal,
      }),
    );
    throwIfFailed(run, limits, processorSeconds(began));
    return run.stdout.toString('utf8');
  }

  return {
    sources,
    folder,
    limits,
    signal,
    images: {
      make: (images, plan, bounds, abort) => tools.images.make(images, plan, bounds, abort, tenant),
      look: (image, average, abort) => tools.images.look(image, average, abort, tenant),
    },
    imageBounds: request.imageBounds ?? persistentImageBounds,
    addressOf: request.addressOf,
    source: sourceAt,
    input(index) {
      const known = ready.get(index) ?? makeReady(index);
      ready.set(index, known);
      return known;
    },
    async note(name, content) {
      await writeFile(path.join(inputs, name), content, { flag: 'wx', mode: 0o444 });
      return `${seen(inputsMount)}/${name}`;
    },
    notePath: (name) => ({ outside: path.join(inputs, name), inside: `${seen(inputsMount)}/${name}` }),
    async probe(inside) {
      const facts = readMediaFacts(await inspect(inside));
      if (facts === undefined) throw new ProcessingError('source', 'not a media file');
      return facts;
    },
    inspect,
    async ffmpeg(args, { seconds, from = 0, to = 1 } = { seconds: undefined }) {
      const said = await runFfmpeg({
        sandbox: tools.sandbox(),
        program: tools.ffmpeg,
        args: [...args.slice(0, -1), '-threads', String(tools.threads), ...args.slice(-1)],
        mounts,
        folder,
        limits,
        signal,
        seconds,
        onProgress: (fraction) => tell(from + fraction * (to - from)),
      });
      tell(to);
      return said;
    },
    warn,
  };
}

async function copy(source: MediaSource, file: string, signal: AbortSignal): Promise<void> {
  const target = createWriteStream(file, { flags: 'wx', mode: 0o444 });
  const broken = new AbortController();
  target.once('error', (error) => broken.abort(error));
  try {
    await source.read({ offset: 0, length: source.size }, target, AbortSignal.any([signal, broken.signal]));
    await new Promise<void>((resolve, reject) => {
      target.end((error?: Error | null) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    target.destroy();
    throw error;
  }
}

/** An animated image is a video as well. */
const VIDEOS: readonly string[] = [...CONTAINERS, 'gif'];
/** Images that may be laid over a video. */
const IMAGES = ['png_pipe', 'jpeg_pipe', 'webp_pipe', 'gif', 'bmp_pipe'];

/** Arguments before an input of ffmpeg. Formats that name other files or addresses do not count as containers here. */
export function inputArguments(inside: string, kind: 'media' | 'image' | 'list' = 'media'): string[] {
  const formats = { media: VIDEOS, image: IMAGES, list: ['concat', ...VIDEOS] }[kind];
  return [
    '-protocol_whitelist',
    'file,pipe',
    '-format_whitelist',
    formats.join(','),
    '-max_pixels',
    '150000000',
    '-i',
    `file:${inside}`,
  ];
}

export type CommandRunner<SomePlan extends Plan> = (
  context: CommandContext,
  plan: SomePlan,
) => Promise<MediaResult>;
