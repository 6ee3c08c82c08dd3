/** How an HDR video was mastered, as parameters of x265: ffmpeg passes it on by itself only from version 7 on. */
import { fieldsOf, parseJson } from '@millpond/base';
import type { CommandContext } from '../../job.ts';
import { quotient, type VideoFacts } from '../../probe.ts';

/** H.265 counts in these parts. */
const CHROMATICITY = 50_000;
const LUMINANCE = 10_000;

export async function masteringParameters(
  context: CommandContext,
  input: string,
  video: VideoFacts,
): Promise<string[]> {
  // Some files say it in their head, others only in frames.
  const text = await context.inspect(input, [
    '-select_streams',
    String(video.index),
    '-read_intervals',
    '%+#1',
    '-show_frames',
    '-of',
    'json',
  ]);
  const { frames } = fieldsOf(parseJson(text));
  const [frame] = Array.isArray(frames) ? frames.map(fieldsOf) : [];
  const list = frame?.side_data_list;
  const sideData = Array.isArray(list) ? list.map(fieldsOf) : [];
  const find = (type: string) => sideData.find(({ side_data_type }) => side_data_type === type) ?? {};
  return [
    ...masterDisplay(find('Mastering display metadata')),
    ...lightLevel(find('Content light level metadata')),
  ];
}

function masterDisplay(said: Readonly<Record<string, unknown>>): string[] {
  const count = (name: string, parts: number): number | undefined => {
    const value = said[name];
    const exact = quotient(typeof value === 'string' ? value : undefined);
    return exact === undefined ? undefined : Math.round(exact * parts);
  };
  const point = (name: string) => [count(`${name}_x`, CHROMATICITY), count(`${name}_y`, CHROMATICITY)];
  const points = { G: point('green'), B: point('blue'), R: point('red'), WP: point('white_point') };
  const light = [count('max_luminance', LUMINANCE), count('min_luminance', LUMINANCE) ?? 0];
  const all = [...Object.entries(points), ['L', light] as const];
  if (all.flatMap(([, values]) => values).includes(undefined)) return [];
  return [
    'hdr10=1',
    `master-display=${all.map(([name, values]) => `${name}(${values.join(',')})`).join('')}`,
  ];
}

function lightLevel({ max_content, max_average }: Readonly<Record<string, unknown>>): string[] {
  const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) <= 65_535;
  return isCount(max_content) && isCount(max_average) ? [`max-cll=${max_content},${max_average}`] : [];
}
