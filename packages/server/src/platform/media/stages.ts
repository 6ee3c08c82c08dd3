/** A pipe of commands: each takes what the one before it made, and a failure says at which it was. */
import { type Plan, sourcesOf } from '@millpond/protocol';
import type { MediaEngine } from './engine.ts';
import { ProcessingFailed } from './failure.ts';
import { sourceOfFile } from './files.ts';
import type { MediaJob, MediaResult, MediaSource } from './types.ts';

export class StageFailed extends ProcessingFailed {
  /** From 0. */
  readonly stage: number;

  constructor(stage: number, { reason, message, words }: ProcessingFailed) {
    super(reason, message, words);
    this.stage = stage;
  }
}

export interface StagesJob extends Omit<MediaJob, 'plan' | 'sources'> {
  readonly stages: readonly Plan[];
  readonly source: MediaSource;
  /** What the stages need besides, asked for when its stage begins. */
  readonly further: (url: string, stage: number) => Promise<MediaSource>;
}

export async function runStages<Outcome>(
  engine: MediaEngine,
  { stages, source, further, ...job }: StagesJob,
  use: (result: MediaResult) => Promise<Outcome>,
): Promise<Outcome> {
  async function runFrom(stage: number, input: MediaSource): Promise<Outcome> {
    const plan = stages[stage];
    if (plan === undefined) throw new ProcessingFailed('source', 'there is no command');
    const sources = [input];
    for (const url of sourcesOf(plan)) sources.push(await further(url, stage));
    const onProgress = (fraction: number): void => job.onProgress?.((stage + fraction) / stages.length);
    let made = false;
    try {
      return await engine.run({ ...job, plan, sources, onProgress }, (result) => {
        made = true;
        return stage + 1 < stages.length ? runFrom(stage + 1, sourceOfFile(result.main)) : use(result);
      });
    } catch (error) {
      if (made || !(error instanceof ProcessingFailed)) throw error;
      throw new StageFailed(stage, error);
    }
  }
  return runFrom(0, source);
}
