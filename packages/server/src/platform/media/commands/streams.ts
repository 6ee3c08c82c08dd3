/** Which streams of the source go into the result of avthumb, and whether they exist. */
import { type AvthumbPlan, audioCodecOf, videoCodecOf } from '@millpond/protocol';
import { ProcessingFailed } from '../failure.ts';
import type { MediaFacts } from '../probe.ts';

export interface ChosenStreams {
  readonly video: boolean;
  readonly audio: boolean;
}

/** The streams of the source that go into the result. */
export function chooseStreams(plan: AvthumbPlan, facts: MediaFacts): ChosenStreams {
  const video = videoCodecOf(plan) !== undefined && facts.video !== undefined;
  const audio = audioCodecOf(plan) !== undefined && facts.audio !== undefined;
  if (plan.format === 'gif' && !video)
    throw new ProcessingFailed('source', 'execute fop cmd failed: not a valid video');
  if (!video && !audio) {
    const what = facts.video === undefined ? 'video' : 'audio';
    throw new ProcessingFailed(
      'source',
      `execute fop cmd failed: the source has no ${what} for ${plan.format}`,
    );
  }
  return { video, audio };
}

/** An engine that reports success has not always written what was asked for. */
export function checkResult(plan: AvthumbPlan, source: MediaFacts, result: MediaFacts): void {
  const { video, audio } = chooseStreams(plan, source);
  if (video && result.video === undefined) throw new ProcessingFailed('source', 'the result has no video');
  if (audio && result.audio === undefined) throw new ProcessingFailed('source', 'the result has no sound');
}
