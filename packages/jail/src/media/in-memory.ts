/**
 * A pipe of commands that answers a request: its result is held in memory. If the image processes do all of the work, nothing
 * is written to disk on the way.
 */
import { type MediaSource, readBytes } from '@millpond/blobs';
import { MIB, type Plan, sourcesOf } from '@millpond/protocol';
import type { ImagePlan } from '../images/index.ts';
import { mayIgnore, needsNoFiles } from './commands/images.ts';
import type { MediaEngine } from './engine.ts';
import { ProcessingError } from './failure.ts';
import { sourceOfBytes, sourceOfFile } from './files.ts';
import { type ImageBounds, MAX_SOURCE_BYTES, sourcesTooLarge } from './image-maker.ts';
import { runStages } from './stages.ts';

export interface MemoryJob {
  readonly stages: readonly Plan[];
  readonly source: MediaSource;
  /** The other sources that the stages need. */
  readonly further: (url: string) => FurtherSource;
  readonly bounds: ImageBounds;
  /** Whose turn it takes. */
  readonly tenant: bigint;
  readonly signal: AbortSignal;
}

export interface FurtherSource {
  /** Known before any of it is read. */
  readonly size: number;
  open(): Promise<MediaSource>;
}

export interface MemoryResult {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

const MAX_RESULT_BYTES = 64 * MIB;
/** Smaller sources are read before their turn comes: an image process that waits for bytes is one process fewer. */
const READ_AHEAD_BYTES = 16 * MIB;

type PlanOnImage = ImagePlan | Extract<Plan, { command: 'imageInfo' | 'imageAve' | 'exif' }>;

/** 'original': the source itself is the result. */
export async function runInMemory(engine: MediaEngine, job: MemoryJob): Promise<MemoryResult | 'original'> {
  const { stages, signal } = job;
  const further = marksOf(job);
  const areOnImages = stages.every(isPlanOnImage);
  // All of them are held at once: together they may not exceed the limit of one image.
  if (further.urls.length > 0 && further.bytes + (areOnImages ? job.source.size : 0) > MAX_SOURCE_BYTES) {
    const error = sourcesTooLarge();
    if (areOnImages && stages.every((plan) => isImagePlan(plan) && mayIgnore(plan, error))) return 'original';
    throw error;
  }
  if (!areOnImages) return throughFiles(engine, { ...job, open: further.open });
  const source = await readAhead(job.source, signal);
  const marks = new Map<string, MediaSource>();
  for (const url of further.urls) marks.set(url, await readAhead(await further.open(url), signal));
  for (const each of [source, ...marks.values()])
    if (!(await needsNoFiles(each, signal)))
      return throughFiles(engine, { ...job, source, open: further.open });
  let result: MemoryResult | 'original' = 'original';
  for (const plan of stages) {
    const input: MediaSource = result === 'original' ? source : sourceOfBytes(result.bytes);
    const own = sourcesOf(plan).flatMap((url) => marks.get(url) ?? []);
    const made = await runStage(engine, plan, [input, ...own], job);
    if (made !== 'original') result = made;
  }
  return result;
}

/** One URL may occur in many places: its source is opened once. */
function marksOf({ stages, further }: MemoryJob): {
  readonly urls: readonly string[];
  readonly bytes: number;
  readonly open: (url: string) => Promise<MediaSource>;
} {
  const urls = [...new Set(stages.flatMap(sourcesOf))];
  const opened = new Map<string, Promise<MediaSource>>();
  return {
    urls,
    bytes: urls.reduce((sum, url) => sum + further(url).size, 0),
    open(url) {
      const known = opened.get(url) ?? further(url).open();
      opened.set(url, known);
      return known;
    },
  };
}

function isPlanOnImage(plan: Plan): plan is PlanOnImage {
  return ['imageView2', 'imageMogr2', 'watermark', 'imageInfo', 'imageAve', 'exif'].includes(plan.command);
}

function isImagePlan(plan: PlanOnImage): plan is ImagePlan {
  return 'ignoreError' in plan;
}

async function readAhead(source: MediaSource, signal: AbortSignal): Promise<MediaSource> {
  if (source.inMemory || source.size > READ_AHEAD_BYTES) return source;
  return sourceOfBytes(await readBytes(source, { offset: 0, length: source.size }, signal));
}

async function runStage(
  { images }: MediaEngine,
  plan: PlanOnImage,
  [input, ...marks]: readonly [MediaSource, ...MediaSource[]],
  { bounds, signal, tenant }: MemoryJob,
): Promise<MemoryResult | 'original'> {
  switch (plan.command) {
    case 'imageInfo':
      return json((await images.look(input, false, signal, tenant)).imageInfo, 'not an image');
    case 'imageAve':
      return json((await images.look(input, true, signal, tenant)).imageAve, 'the image is broken');
    case 'exif':
      return json((await images.look(input, false, signal, tenant)).exif, 'no exif data');
    case 'imageView2':
    case 'imageMogr2':
    case 'watermark':
      try {
        return await images.make([input, ...marks], plan, bounds, signal, tenant);
      } catch (error) {
        if (mayIgnore(plan, error)) return 'original';
        throw error;
      }
  }
}

function json(value: unknown, otherwise: string): MemoryResult {
  if (value === undefined) throw new ProcessingError('source', otherwise);
  return { bytes: Buffer.from(JSON.stringify(value)), mimeType: 'application/json' };
}

function throughFiles(
  engine: MediaEngine,
  job: MemoryJob & { readonly open: (url: string) => Promise<MediaSource> },
): Promise<MemoryResult> {
  const { stages, source, open, signal, bounds, tenant } = job;
  const { wallMs, ...imageBounds } = bounds;
  return runStages(
    engine,
    {
      stages,
      source,
      further: open,
      signal,
      tenant,
      imageBounds,
      limits: { wallMs, fileBytes: MAX_RESULT_BYTES },
    },
    async ({ main }) => {
      if (main.size > MAX_RESULT_BYTES) throw new ProcessingError('limit', 'the result is too large');
      const bytes = await readBytes(sourceOfFile(main), { offset: 0, length: main.size }, signal);
      return { bytes, mimeType: main.mimeType };
    },
  );
}
