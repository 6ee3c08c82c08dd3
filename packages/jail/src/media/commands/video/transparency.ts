/** Whether a gif has transparent frames. Nearly all could have, and few have: so somebody has to look. */
import { type CommandContext, inputArguments } from '../../job.ts';
import type { VideoFacts } from '../../probe.ts';

const MIN_OPACITY_KEY = 'lavfi.signalstats.YMIN';

/** What is known of the video, and what its frames show. It is read as far as the first transparent frame. */
export async function lookForTransparency(
  context: CommandContext,
  input: string,
  video: VideoFacts,
): Promise<VideoFacts> {
  if (video.codec !== 'gif') return video;
  const filters = [
    'format=bgra,alphaextract,signalstats',
    `metadata=mode=select:key=${MIN_OPACITY_KEY}:value=128:function=less`,
    `metadata=mode=print:key=${MIN_OPACITY_KEY}`,
  ];
  const said = await context.ffmpeg([
    // What is printed is said as information.
    '-v',
    'info',
    ...inputArguments(input),
    '-map',
    `0:${video.index}`,
    '-vf',
    filters.join(','),
    '-frames:v',
    '1',
    '-f',
    'null',
    '-',
  ]);
  return { ...video, hasTransparentFrames: said.includes(MIN_OPACITY_KEY) };
}
