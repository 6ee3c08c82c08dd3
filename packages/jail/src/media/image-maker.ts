/** Images made and described by the sandboxed image processes, and the checks of their answers. */
import { fieldsOf, parseJson } from '@millpond/base';
import { headOf, type MediaSource } from '@millpond/blobs';
import { MIB, sniffMimeType } from '@millpond/protocol';
import type { ImageAnswer, ImagePlan, ImagePool, TransformLimits } from '../images/index.ts';
import { type ImageInspection, readImageAnswer } from '../inspect/image-answer.ts';
import { commandFailed, explainImage } from './engine-messages.ts';
import { ProcessingError } from './failure.ts';

/** `tenant`: whose turn it takes. */
export interface ImageMaker {
  /** 'original': the source itself is the result. */
  make(
    sources: readonly MediaSource[],
    plan: ImagePlan,
    limits: ImageBounds,
    signal: AbortSignal,
    tenant?: bigint,
  ): Promise<MadeImage | 'original'>;
  look(source: MediaSource, average: boolean, signal: AbortSignal, tenant?: bigint): Promise<ImageInspection>;
}

export interface MadeImage {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

/** Limits of the result; images by URL have tighter ones. */
export type ImageBounds = Pick<TransformLimits, 'frames' | 'outputSide' | 'outputPixels'> & {
  readonly wallMs: number;
};

export const persistentImageBounds = {
  frames: 500,
  outputSide: 14_999,
  outputPixels: 60_000_000,
} as const satisfies Omit<ImageBounds, 'wallMs'>;

/** For an image and everything laid over it. */
export const MAX_SOURCE_BYTES = 64 * MIB;

const mimeTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  tiff: 'image/tiff',
};

const MAX_MESSAGE_LENGTH = 500;
const source = { maxPixels: 150_000_000, maxSide: 30_000 };

export function createImageMaker(pool: ImagePool): ImageMaker {
  async function ask(
    sources: readonly MediaSource[],
    request: Parameters<ImagePool['ask']>[1],
    wallMs: number,
    signal: AbortSignal,
    tenant: bigint | undefined,
  ): Promise<Exclude<ImageAnswer, string>> {
    if (sources.some(({ size }) => size === 0)) throw new ProcessingError('source', 'the image is empty');
    if (sources.reduce((sum, { size }) => sum + size, 0) > MAX_SOURCE_BYTES) throw sourcesTooLarge();
    const deadline = AbortSignal.timeout(wallMs);
    const answer = await pool.ask(sources, request, AbortSignal.any([signal, deadline]), tenant);
    if (typeof answer !== 'string') return answer;
    if (signal.aborted) throw new ProcessingError('aborted', 'it was cancelled');
    if (deadline.aborted) throw new ProcessingError('limit', 'it took too long');
    if (answer === 'busy') throw new ProcessingError('machine', 'too many images at once');
    if (answer === 'killed') throw new ProcessingError('machine', 'the engine was killed');
    if (answer === 'memory') throw new ProcessingError('limit', 'it took too much memory');
    throw new ProcessingError('source', 'the engine crashed');
  }

  return {
    async make(sources, plan, { wallMs, ...bounds }, signal, tenant) {
      const limits = { ...source, ...bounds, frameBytes: 256 * MIB, seconds: Math.ceil(wallMs / 1000) };
      const request = {
        kind: 'work',
        images: sources.length,
        maxBytes: MAX_SOURCE_BYTES,
        plan,
        limits,
      } as const;
      const { json, body } = await ask(sources, request, wallMs, signal, tenant);
      const told = fieldsOf(parseJson(json));
      if (told.original === true) return 'original';
      const failure = await failureOf(told, sources, signal);
      if (failure !== undefined) throw failure;
      return checked(told, body);
    },
    async look(image, average, signal, tenant) {
      const wallMs = 30_000;
      const { maxPixels } = source;
      const request = {
        kind: 'look',
        average,
        maxBytes: MAX_SOURCE_BYTES,
        maxPixels,
        seconds: wallMs / 1000,
      } as const;
      const { json } = await ask([image], request, wallMs, signal, tenant);
      const seen = readImageAnswer(json, image.size);
      if (seen !== undefined) return seen;
      const told = fieldsOf(parseJson(json));
      throw (await failureOf({ error: '', ...told }, [image], signal)) ?? noImage();
    },
  };
}

export function sourcesTooLarge(): ProcessingError {
  return new ProcessingError('source', `images may have at most ${MAX_SOURCE_BYTES / MIB} MiB`);
}

/** Undefined if there was none. */
async function failureOf(
  { refused, error }: Readonly<Record<string, unknown>>,
  sources: readonly MediaSource[],
  signal: AbortSignal,
): Promise<ProcessingError | undefined> {
  if (typeof refused === 'string') return new ProcessingError('source', commandFailed(plain(refused)));
  if (typeof error !== 'string') return undefined;
  const heads = await Promise.all(sources.map((each) => headOf(each, signal)));
  return new ProcessingError('source', explainImage(error, heads), plain(error));
}

function plain(words: string): string {
  return words.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_MESSAGE_LENGTH);
}

function noImage(): ProcessingError {
  return new ProcessingError('source', commandFailed('the engine returned no image'));
}

/** The process has decoded hostile bytes: what it calls an image is checked before it counts as one. */
function checked(told: Readonly<Record<string, unknown>>, bytes: Buffer): MadeImage {
  const { format, width, height } = told;
  const mimeType = typeof format === 'string' ? mimeTypes[format] : undefined;
  if (mimeType === undefined || typeof width !== 'number' || typeof height !== 'number') throw noImage();
  if (sniffMimeType(bytes) !== mimeType) throw noImage();
  return { bytes, mimeType, width, height };
}
