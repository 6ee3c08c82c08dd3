/** A pipe of commands: each takes the result of the one before it, and a failure says which one failed. */
import { type MediaSource, readBytes } from '@millpond/blobs';
import { Fault, MAX_ZIP_LIST_BYTES, type Plan, parseZipList, sourcesOf } from '@millpond/protocol';
import type { MediaEngine } from './engine.ts';
import { gatherSources, type OpenFurtherSource } from './extra-sources.ts';
import { ProcessingError } from './failure.ts';
import { sourceOfFile } from './files.ts';
import { mediaLimits } from './limits.ts';
import { noStageClock } from './stage-clock.ts';
import type { JudgedResult, MediaJob } from './types.ts';

export class StageError extends ProcessingError {
  /** Counted from 0. */
  readonly stage: number;

  constructor(stage: number, { reason, message, words }: ProcessingError) {
    super(reason, message, words);
    this.stage = stage;
  }
}

export interface StagesJob extends Omit<MediaJob, 'plan' | 'sources'> {
  readonly stages: readonly Plan[];
  readonly source: MediaSource;
  /** The other sources of the stages, asked for when their stage begins. */
  readonly further: OpenFurtherSource;
}

export async function runStages<Outcome>(
  engine: MediaEngine,
  { stages, source, further, ...job }: StagesJob,
  use: (result: JudgedResult) => Promise<Outcome>,
): Promise<Outcome> {
  const { clock = noStageClock } = job;
  /** `warned`: by the stages before. */
  async function runFrom(stage: number, input: MediaSource, warned: readonly string[]): Promise<Outcome> {
    const onProgress = (fraction: number): void => job.onProgress?.((stage + fraction) / stages.length);
    let made = false;
    clock.enter('run', stages[stage]?.command);
    try {
      const plan = await completed(stages[stage], input, job.signal);
      return await withFurther(plan, (others) =>
        engine.run({ ...job, plan, sources: [input, ...others], onProgress }, (result) => {
          made = true;
          const warnings = [...warned, ...result.warnings];
          return stage + 1 < stages.length
            ? runFrom(stage + 1, sourceOfFile(result.main), warnings)
            : use({ ...result, warnings });
        }),
      );
    } catch (error) {
      if (made || !(error instanceof ProcessingError)) throw error;
      throw new StageError(stage, error);
    }
  }
  /** They are kept until the result has been used: it may be one of them. */
  async function withFurther(
    plan: Plan,
    work: (sources: readonly MediaSource[]) => Promise<Outcome>,
  ): Promise<Outcome> {
    const urls = sourcesOf(plan);
    if (urls.length === 0) return work([]);
    const maxBytes = job.limits?.fileBytes ?? mediaLimits[plan.command].fileBytes;
    return engine.withFolder(async (folder) => {
      const { signal } = job;
      const gather = () => gatherSources(urls, further, { folder, maxBytes, signal });
      return work(await clock.within('fetch', gather));
    });
  }
  return runFrom(0, source, []);
}

/** mkzip/4 names its files in its source, so they are known only now. */
async function completed(plan: Plan | undefined, input: MediaSource, signal: AbortSignal): Promise<Plan> {
  if (plan === undefined) throw new ProcessingError('source', 'there is no command');
  if (plan.command !== 'mkzip' || plan.form !== '4') return plan;
  if (input.size > MAX_ZIP_LIST_BYTES) throw new ProcessingError('source', 'the list of files is too long');
  const list = await readBytes(input, { offset: 0, length: input.size }, signal);
  try {
    return { ...plan, entries: parseZipList(list.toString('utf8')) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new ProcessingError('source', error.hint ?? error.fault);
  }
}
