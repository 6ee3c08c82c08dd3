/** What a source of a command is: looked at before anything is done with it, so that a refusal is a sentence. */
import { headOf } from '@millpond/blobs';
import { explainNoVideo } from '../engine-messages.ts';
import { ProcessingError } from '../failure.ts';
import type { CommandContext } from '../job.ts';
import type { MediaFacts } from '../probe.ts';

export interface SourceFacts {
  /** Its path inside the sandbox. */
  readonly input: string;
  readonly facts: MediaFacts;
}

/** `inside`: where it is, if not where sources are. */
export async function sourceFacts(
  context: CommandContext,
  index: number,
  inside?: string,
): Promise<SourceFacts> {
  const input = inside ?? (await context.input(index));
  try {
    return { input, facts: await context.probe(input) };
  } catch (error) {
    if (!(error instanceof ProcessingError) || error.reason !== 'source') throw error;
    const sentence = explainNoVideo(await headOf(context.source(index), context.signal));
    throw sentence === undefined ? error : new ProcessingError('source', sentence, error.words);
  }
}

/** How long its video and its first sound last: a subtitle may last longer. Undefined if the file does not say. */
export function shownSeconds({ video, audio, duration }: MediaFacts): number | undefined {
  const ends = [video?.end, audio?.end].filter((end) => end !== undefined);
  return ends.length === 0 ? duration : Math.max(...ends);
}
