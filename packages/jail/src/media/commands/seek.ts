/**
 * How to begin in the middle of a video. In a container without an index engines begin between key frames, and what comes before the
 * next of them is missing: there they begin earlier, and filters drop what was not asked for.
 */

const WITHOUT_INDEX: ReadonlySet<string> = new Set(['mpegts', 'mpeg']);
/** Key frames are hardly ever farther apart. */
const EARLIER_SECONDS = 12;

export interface Seek {
  /** Before the input. */
  readonly input: readonly string[];
  /** The first filters of frames, and of sound. */
  readonly video: readonly string[];
  readonly sound: readonly string[];
  /** How much earlier the input begins. */
  readonly earlier: number;
}

export function seekTo(seconds: number, container: string): Seek {
  const earlier = WITHOUT_INDEX.has(container) ? Math.min(seconds, EARLIER_SECONDS) : 0;
  if (earlier === 0) return { input: ['-ss', String(seconds)], video: [], sound: [], earlier };
  return {
    input: ['-ss', (seconds - earlier).toFixed(3)],
    video: [`trim=start=${earlier}`, `setpts=PTS-${earlier}/TB`],
    sound: [`atrim=start=${earlier}`, `asetpts=PTS-${earlier}/TB`],
    earlier,
  };
}
