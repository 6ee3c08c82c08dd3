/** Whether a gif has transparent frames. Nearly all could have, and few have: so somebody has to look. */
import { inputArguments, type Job } from '../../job.ts';
import type { VideoFacts } from '../../probe.ts';

const LEAST_OPACITY = 'lavfi.signalstats.YMIN';

/** What is known of the video, and what its frames show. It is read as far as the first transparent frame. */
export async function lookForTransparency(job: Job, input: string, video: VideoFacts): Promise<VideoFacts> {
  if (video.codec !== 'gif') return video;
  const filters = [
    'format=bgra,alphaextract,signalstats',
    `metadata=mode=select:key=${LEAST_OPACITY}:value=128:function=less`,
    `metadata=mode=print:key=${LEAST_OPACITY}`,
  ];
  const said = await job.ffmpeg([
    // What is printed is said as information.
    ...['-v', 'info', ...inputArguments(input), '-map', `0:${video.index}`],
    ...['-vf', filters.join(','), '-frames:v', '1', '-f', 'null', '-'],
  ]);
  return { ...video, hasTransparentFrames: said.includes(LEAST_OPACITY) };
}
