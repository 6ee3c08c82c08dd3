/**
 * Runs one command on files: a typed plan and its sources become a checked result. Programs run in the sandbox; commands that need
 * none work on a machine without one too. Knows nothing of accounts, buckets or tasks; it is here, below the features, because
 * processing and downloads both use it. Whatever happens, it ends within the command's limits and leaves nothing behind.
 */
import type { MediaSource } from '@millpond/blobs';
import type { CommandName, Plan } from '@millpond/protocol';
import { MIB } from '@millpond/protocol';
import { createImagePool, type ImagePool } from '../images/index.ts';
import type { JobFolders, Sandbox } from '../sandbox/index.ts';
import { runAvconcat } from './commands/avconcat.ts';
import { runAvthumb } from './commands/avthumb.ts';
import { runConcat } from './commands/concat.ts';
import { runImage } from './commands/images.ts';
import { runAvinfo, runExif, runImageAve, runImageInfo, runQhash } from './commands/information.ts';
import { runMkzip } from './commands/mkzip.ts';
import { runVframe } from './commands/vframe.ts';
import { runVsample } from './commands/vsample.ts';
import { type EngineKind, EngineMissingError, engineOf, type MissingEngines } from './engine-kinds.ts';
import { ProcessingError } from './failure.ts';
import { createImageMaker, type ImageMaker } from './image-maker.ts';
import { type CommandContext, type CommandRunner, openCommandContext } from './job.ts';
import { type MediaLimits, mediaLimits, remuxLimits } from './limits.ts';
import { type LiveRemux, type LiveRemuxOptions, startLiveRemux } from './live-remux.ts';
import { type Remuxed, remux } from './remux.ts';
import type { JudgedResult, MediaJob } from './types.ts';

export interface MediaEngineOptions {
  /** For files of commands; default: the sandbox's own. Undefined without a sandbox: `missing` says why. */
  readonly folders?: JobFolders | undefined;
  /** Undefined: `missing` says why. */
  readonly sandbox: Sandbox | undefined;
  /** What programs of this machine can't be run, and why. */
  readonly missing?: MissingEngines;
  readonly ffmpeg?: string;
  readonly ffprobe?: string;
  /** Threads of an encoder; 0: as many as it likes. */
  readonly threads?: number;
  /** The number of image processes, and of images that may wait for one. */
  readonly imageProcesses?: number;
  readonly imagesWaiting?: number;
  readonly imageMemoryBytes?: number;
}

export interface MediaEngine {
  /**
   * Runs a command; `use` gets its result, whose files are removed when `use` is done. Rejects with ProcessingError if the
   * command gave none.
   */
  run<Outcome>(job: MediaJob, use: (result: JudgedResult) => Promise<Outcome>): Promise<Outcome>;
  /** A folder for a command's sources, removed when `use` is done. The sandbox shows only the parts that are mounted there. */
  withFolder<Outcome>(use: (folder: string) => Promise<Outcome>): Promise<Outcome>;
  /** A recording as MP4, with its frames unchanged; otherwise like `run`. */
  remux<Outcome>(
    source: MediaSource,
    signal: AbortSignal,
    use: (result: Remuxed) => Promise<Outcome>,
  ): Promise<Outcome>;
  /** A camera's program stream as FLV while it arrives. */
  remuxLive(options?: LiveRemuxOptions): LiveRemux;
  /** Images without files, for answers to requests. */
  readonly images: ImageMaker;
  /** What it can't run: such commands are rejected with EngineMissingError. */
  readonly missing: MissingEngines;
  /** Ends the image processes; the sandbox stays open. */
  close(): Promise<void>;
}

type Runners = { readonly [Name in CommandName]: CommandRunner<Extract<Plan, { command: Name }>> };

const runners: Runners = {
  vframe: runVframe,
  vsample: runVsample,
  avthumb: runAvthumb,
  avconcat: runAvconcat,
  avinfo: runAvinfo,
  imageView2: runImage,
  imageMogr2: runImage,
  watermark: runImage,
  imageInfo: runImageInfo,
  imageAve: runImageAve,
  exif: runExif,
  qhash: runQhash,
  concat: runConcat,
  mkzip: runMkzip,
};

/** What the image processes of an engine may use: each while it makes an image, and each of those that wait for the next one. */
export const imageProcessMemory = { busyBytes: 1536 * MIB, idleBytes: 400 * MIB };

const defaults = {
  ffmpeg: '/usr/bin/ffmpeg',
  ffprobe: '/usr/bin/ffprobe',
  threads: 0,
  imageProcesses: 2,
  imagesWaiting: 32,
  imageMemoryBytes: imageProcessMemory.busyBytes,
};

export function openMediaEngine(options: MediaEngineOptions): MediaEngine {
  const settings = { ...defaults, ...options };
  const { sandbox, ffmpeg, ffprobe, threads, missing = {} } = settings;
  const folders = options.folders ?? sandbox ?? noFolders(missing);
  const pool =
    missing.images === undefined && sandbox !== undefined ? imagePool(sandbox, settings) : undefined;
  const images = pool === undefined ? noImages(missing) : createImageMaker(pool);

  /** The sandbox for a program, or why it can't be run. */
  function sandboxFor(kind: EngineKind): Sandbox {
    const problem = missing[kind];
    if (problem !== undefined || sandbox === undefined)
      throw new EngineMissingError(kind, problem ?? NO_SANDBOX);
    return sandbox;
  }

  /** Where no program runs, nobody sees it elsewhere. */
  const pathOf: Sandbox['pathOf'] = (mount, jobDir) => sandbox?.pathOf(mount, jobDir) ?? mount.source;

  /** Whatever `work` creates lies in a folder that is removed when `use` is done with it. */
  function withJob<Result, Outcome>(
    request: Omit<MediaJob, 'plan'>,
    limits: MediaLimits,
    work: (context: CommandContext) => Promise<Result>,
    use: (result: Result & Pick<JudgedResult, 'warnings'>) => Promise<Outcome>,
  ): Promise<Outcome> {
    const warnings: string[] = [];
    const deadline = AbortSignal.timeout(limits.wallMs);
    const signal = AbortSignal.any([request.signal, deadline]);
    const tools = { sandbox: () => sandboxFor('media'), pathOf, ffmpeg, ffprobe, threads, images };
    return folders.withJob((inputs) =>
      folders.withJob(async (folder) => {
        const warn = (sentence: string): void => void warnings.push(sentence);
        const context = openCommandContext(tools, { ...request, signal }, limits, inputs, folder, warn);
        const result = await work(context).catch((error: unknown) => {
          if (request.signal.aborted) throw new ProcessingError('aborted', 'it was cancelled');
          if (deadline.aborted) throw new ProcessingError('limit', 'it took too long');
          throw error;
        });
        request.onProgress?.(1);
        return use({ ...result, warnings });
      }),
    );
  }

  return {
    images,
    missing,
    async run(request, use) {
      const { plan } = request;
      const kind = engineOf[plan.command];
      if (kind !== 'files') sandboxFor(kind);
      const runner = runners[plan.command] as CommandRunner<Plan>;
      const limits = { ...mediaLimits[plan.command], ...request.limits };
      return withJob(request, limits, (context) => runner(context, plan), use);
    },
    withFolder: (use) => folders.withJob(use),
    remux: async (source, signal, use) => withJob({ sources: [source], signal }, remuxLimits, remux, use),
    remuxLive: (options) => startLiveRemux({ sandbox: sandboxFor('media'), program: ffmpeg }, options),
    close: async () => pool?.close(),
  };
}

function noFolders({ files = NO_SANDBOX }: MissingEngines): JobFolders {
  return { withJob: () => Promise.reject(new EngineMissingError('files', files)) };
}

const NO_SANDBOX = { problem: 'there is no sandbox', remedy: 'see docs/sandbox.md' };

function imagePool(sandbox: Sandbox, settings: MediaEngineOptions & typeof defaults): ImagePool {
  return createImagePool({
    sandbox,
    processes: settings.imageProcesses,
    waiting: settings.imagesWaiting,
    memoryBytes: settings.imageMemoryBytes,
    recycleBytes: imageProcessMemory.idleBytes,
    recycleAfter: 500,
    maxReplyBytes: 64 * MIB,
  });
}

function noImages({ images = NO_SANDBOX }: MissingEngines): ImageMaker {
  const reject = () => Promise.reject(new EngineMissingError('images', images));
  return { make: reject, look: reject };
}
