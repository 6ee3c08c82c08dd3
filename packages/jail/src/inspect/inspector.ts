/**
 * Inspects content for the variables that need it (imageInfo, exif, imageAve, avinfo): never in this process, always in the
 * sandbox, within a deadline. What cannot be determined is undefined, whatever the reason; a variable that this machine cannot
 * fill at all is listed in `off` with the reason, and is undefined for all content.
 */
import { errorReason, type Log, TooManyWaitersError } from '@millpond/base';
import type { ContentSource } from '@millpond/blobs';
import { GIB, MIB } from '@millpond/protocol';
import { createImagePool, type ImagePool } from '../images/index.ts';
import { probeLimits, type Sandbox, SandboxUnavailableError } from '../sandbox/index.ts';
import type { MediaInspection } from './avinfo.ts';
import { type ImageInspection, readImageAnswer } from './image-answer.ts';
import { createMediaProber, type MediaProber } from './media.ts';
import type { MediaReadLimits } from './probe-file.ts';

export type InspectedVariable = 'imageInfo' | 'exif' | 'imageAve' | 'avinfo';

export interface VariableOff {
  readonly variable: InspectedVariable;
  readonly reason: string;
}

/** The outcome of an inspection: found, nothing to find, too late, rejected because too many were waiting, or our own fault. */
export interface LookReport {
  readonly kind: 'image' | 'media';
  readonly outcome: 'told' | 'nothing' | 'late' | 'busy' | 'failed';
  readonly seconds: number;
}

export interface InspectorOptions {
  /** The sandbox, or why there is none. */
  readonly sandbox: Sandbox | SandboxUnavailableError;
  readonly log: Log;
  readonly ffprobe?: string;
  /** For one inspection, from the call on, including the wait. */
  readonly deadlineMs?: number;
  /** The number of image processes, and of concurrent probes. */
  readonly concurrency?: number;
  /** Inspections of each kind that may wait; any more are undefined at once. */
  readonly waiting?: number;
  /** A larger image is not inspected. */
  readonly imageBytes?: number;
  readonly imagePixels?: number;
  readonly imageMemoryBytes?: number;
  readonly imageRecycleBytes?: number;
  readonly imageRecycleAfter?: number;
  readonly mediaReads?: MediaReadLimits;
  /** Called after each inspection. */
  readonly onLook?: ((report: LookReport) => void) | undefined;
}

export interface LookOptions {
  /** Whose turn it takes. */
  readonly tenant?: bigint | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Inspector {
  readonly off: readonly VariableOff[];
  /** imageInfo, exif, and imageAve if `average` is set, for which the image must be decoded. */
  inspectImage(
    source: ContentSource,
    options?: LookOptions & { readonly average?: boolean },
  ): Promise<ImageInspection | undefined>;
  inspectMedia(source: ContentSource, options?: LookOptions): Promise<MediaInspection | undefined>;
  /** Ends the image processes; the sandbox stays open. */
  close(): Promise<void>;
}

const START_MS = 20_000;
const IMAGE_VARIABLES: readonly InspectedVariable[] = ['imageInfo', 'exif', 'imageAve'];
const ONE_PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** What the inspection of one image, and of one media file, may use. */
export const inspectionMemory = { imageBytes: GIB, mediaBytes: probeLimits.memoryBytes };

const defaults = {
  ffprobe: '/usr/bin/ffprobe',
  deadlineMs: 5000,
  concurrency: 2,
  waiting: 32,
  imageBytes: 20 * MIB,
  imagePixels: 150_000_000,
  imageMemoryBytes: inspectionMemory.imageBytes,
  imageRecycleBytes: 400 * MIB,
  imageRecycleAfter: 500,
  mediaReads: {
    wholeBytes: 16 * MIB,
    headBytes: 8 * MIB,
    tailBytes: 2 * MIB,
    indexBytes: 32 * MIB,
  },
};

export async function openInspector(options: InspectorOptions): Promise<Inspector> {
  const settings = { ...defaults, ...options };
  const { sandbox } = options;
  const off: VariableOff[] = [];
  if (sandbox instanceof SandboxUnavailableError) {
    for (const variable of [...IMAGE_VARIABLES, 'avinfo'] as const)
      off.push({ variable, reason: sandbox.message });
    return inspectorOf(settings, off, undefined, undefined);
  }
  const [opened, prober] = await Promise.all([openPool(sandbox, settings), openProber(sandbox, settings)]);
  const pool = typeof opened === 'string' ? undefined : opened;
  if (typeof opened === 'string')
    for (const variable of IMAGE_VARIABLES)
      off.push({ variable, reason: `sharp does not run in the sandbox: ${opened}` });
  if (prober === undefined)
    off.push({
      variable: 'avinfo',
      reason: `${settings.ffprobe} does not run in the sandbox (apt-get install ffmpeg)`,
    });
  return inspectorOf(settings, off, pool, prober);
}

type Settings = InspectorOptions & typeof defaults;

function inspectorOf(
  settings: Settings,
  off: readonly VariableOff[],
  pool: ImagePool | undefined,
  prober: MediaProber | undefined,
): Inspector {
  /** An inspection that is too late, or whose content cannot be read, has no result; only our own faults are logged. */
  async function look<Result>(
    kind: LookReport['kind'],
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const began = performance.now();
    const deadline = AbortSignal.timeout(settings.deadlineMs);
    const either = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    let fault: 'busy' | 'failed' | undefined;
    const result = work(either).catch((error: unknown) => {
      fault = error instanceof TooManyWaitersError ? 'busy' : 'failed';
      if (fault === 'failed' && !either.aborted)
        settings.log.warn({ err: error }, 'content could not be inspected');
      return undefined;
    });
    // Ending a process and cleaning up after it take time; the caller does not wait for that.
    const seen = await Promise.race([result, aborted(either)]);
    const missing = either.aborted ? 'late' : (fault ?? 'nothing');
    const seconds = (performance.now() - began) / 1000;
    settings.onLook?.({ kind, outcome: seen === undefined ? missing : 'told', seconds });
    return seen;
  }

  return {
    off,
    async inspectImage(source, { average = false, signal, tenant } = {}) {
      if (pool === undefined) return undefined;
      return look('image', signal, (either) =>
        inspectImage(pool, settings, { source, average, tenant }, either),
      );
    },
    async inspectMedia(source, { signal, tenant } = {}) {
      if (prober === undefined) return undefined;
      return look('media', signal, (either) => prober.inspect(source, either, tenant));
    },
    async close() {
      await pool?.close();
    },
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

async function inspectImage(
  pool: ImagePool,
  settings: Settings,
  image: { readonly source: ContentSource; readonly average: boolean; readonly tenant: bigint | undefined },
  signal: AbortSignal,
): Promise<ImageInspection | undefined> {
  const { source, average, tenant } = image;
  const { imageBytes: maxBytes, imagePixels: maxPixels, deadlineMs } = settings;
  if (source.size === 0 || source.size > maxBytes) return undefined;
  const seconds = Math.ceil(deadlineMs / 1000);
  const request = { kind: 'look', average, maxBytes, maxPixels, seconds } as const;
  const answer = await pool.ask([source], request, signal, tenant);
  if (answer === 'busy') throw new TooManyWaitersError();
  return typeof answer === 'string' ? undefined : readImageAnswer(answer.json, source.size);
}

const FAILED_STARTS = new Map([
  ['late', `it did not answer within ${START_MS / 1000} s`],
  ['memory', 'it used more memory than it may'],
  ['killed', 'it was killed'],
  ['crashed', 'it ended by itself'],
]);

/** The first process shows that images can be inspected, and is warm afterwards. A text: why not. */
async function openPool(sandbox: Sandbox, settings: Settings): Promise<ImagePool | string> {
  const pool = createImagePool({
    sandbox,
    processes: settings.concurrency,
    waiting: settings.waiting,
    memoryBytes: settings.imageMemoryBytes,
    recycleBytes: settings.imageRecycleBytes,
    recycleAfter: settings.imageRecycleAfter,
    // It is only asked to describe images, never to make one.
    maxReplyBytes: 0,
  });
  const onePixel: ContentSource = {
    size: ONE_PIXEL.length,
    read: async (_range, sink) => void sink.write(ONE_PIXEL),
  };
  const seconds = START_MS / 1000;
  const request = { kind: 'look', average: true, maxBytes: 1000, maxPixels: 1, seconds } as const;
  const answer = await pool
    .ask([onePixel], request, AbortSignal.timeout(START_MS))
    .catch((error: unknown) => errorReason(error));
  if (typeof answer !== 'string' && readImageAnswer(answer.json, onePixel.size)?.imageInfo.width === 1)
    return pool;
  await pool.close();
  if (typeof answer !== 'string') return 'it does not recognise an image';
  return FAILED_STARTS.get(answer) ?? answer;
}

async function openProber(sandbox: Sandbox, settings: Settings): Promise<MediaProber | undefined> {
  const shown = await sandbox.run({
    program: settings.ffprobe,
    args: ['-version'],
    limits: { ...probeLimits, wallMs: START_MS, cpuSeconds: START_MS / 1000 },
  });
  if (shown.outcome !== 'exited' || shown.code !== 0) return undefined;
  return createMediaProber({
    sandbox,
    ffprobe: settings.ffprobe,
    concurrency: settings.concurrency,
    waiting: settings.waiting,
    reads: settings.mediaReads,
  });
}
