/** What a source of a command is: looked at before anything is done with it, so that a refusal is a sentence. */
import { headOf } from '@millpond/blobs';
import { explainNoVideo } from '../engine-messages.ts';
import { ProcessingFailed } from '../failure.ts';
import type { Job } from '../job.ts';
import type { MediaFacts } from '../probe.ts';

export interface SourceFacts {
  /** Its path inside the sandbox. */
  readonly input: string;
  readonly facts: MediaFacts;
}

/** `inside`: where it is, if not where sources are. */
export async function sourceFacts(job: Job, index: number, inside?: string): Promise<SourceFacts> {
  const input = inside ?? (await job.input(index));
  try {
    return { input, facts: await job.probe(input) };
  } catch (error) {
    if (!(error instanceof ProcessingFailed) || error.reason !== 'source') throw error;
    const sentence = explainNoVideo(await headOf(job.source(index), job.signal));
    throw sentence === undefined ? error : new ProcessingFailed('source', sentence, error.words);
  }
}

/** How long its video and its first sound last: a subtitle may last longer. Undefined if the file does not say. */
export function shownSeconds({ video, audio, duration }: MediaFacts): number | undefined {
  const ends = [video?.end, audio?.end].filter((end) => end !== undefined);
  return ends.length === 0 ? duration : Math.max(...ends);
}
