/** The command line of avthumb without its output: inputs, streams, filters, encoders. */
import { type AvthumbPlan, videoCodecOf } from '@millpond/protocol';
import { inputArguments } from '../job.ts';
import type { MediaFacts } from '../probe.ts';
import { audioArguments, fileArguments, videoArguments } from './encoders.ts';
import { chooseStreams } from './streams.ts';
import { frameFilters, lastFilters, overlayFilters, textFilter } from './video-filters.ts';

/** Paths inside the sandbox. */
export interface AvthumbFiles {
  readonly input: string;
  readonly mark: string | undefined;
  readonly subtitle: string | undefined;
  readonly text: string | undefined;
}

export function avthumbArguments(plan: AvthumbPlan, facts: MediaFacts, files: AvthumbFiles): string[] {
  const { video, audio } = chooseStreams(plan, facts);
  const asStream = plan.scodec !== undefined && files.subtitle !== undefined;
  return [
    ...inputs(plan, files, video, asStream),
    ...(video && facts.video !== undefined ? videoPart(plan, facts.video, files) : ['-vn']),
    ...(audio && facts.audio !== undefined
      ? ['-map', `0:${facts.audio.index}`, ...audioArguments(plan, facts.audio)]
      : ['-an']),
    ...(asStream ? ['-map', `${files.mark === undefined ? 1 : 2}:s:0`, '-c:s', 'mov_text'] : ['-sn']),
    ...['-dn', ...(plan.t === undefined ? [] : ['-t', String(plan.t)]), ...fileArguments(plan)],
    ...['-max_muxing_queue_size', '1024'],
  ];
}

function inputs(plan: AvthumbPlan, files: AvthumbFiles, video: boolean, asStream: boolean): string[] {
  const turned = (plan.rotate !== undefined && plan.rotate !== 'auto') || plan.rotateinfo;
  const mark = video ? files.mark : undefined;
  const delay =
    plan.wmVideo === undefined || plan.wmPos === undefined ? [] : ['-itsoffset', String(plan.wmPos)];
  return [
    ...(plan.ss === undefined ? [] : ['-ss', String(plan.ss)]),
    ...(turned ? ['-noautorotate'] : []),
    ...inputArguments(files.input),
    ...(mark === undefined
      ? []
      : [...delay, ...inputArguments(mark, plan.wmVideo === undefined ? 'image' : 'media')]),
    ...(asStream && files.subtitle !== undefined ? subtitleInput(plan, files.subtitle) : []),
  ];
}

function subtitleInput(plan: AvthumbPlan, subtitle: string): string[] {
  return [
    ...(plan.ss === undefined ? [] : ['-ss', String(plan.ss)]),
    ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', 'srt,ass,webvtt', '-i', `file:${subtitle}`],
  ];
}

function videoPart(
  plan: AvthumbPlan,
  video: NonNullable<MediaFacts['video']>,
  files: AvthumbFiles,
): string[] {
  const encoder = videoArguments(plan, video);
  if (videoCodecOf(plan) === 'copy') return ['-map', `0:${video.index}`, ...encoder];
  const burnt =
    plan.scodec === undefined && files.subtitle !== undefined ? [subtitleFilter(plan, files.subtitle)] : [];
  const base = [...frameFilters(plan, video), ...burnt];
  const text = files.text === undefined ? [] : [textFilter(plan, files.text)];
  const last = [...text, ...lastFilters(plan)];
  if (files.mark === undefined && !plan.gifHighColor)
    return ['-map', `0:${video.index}`, ...vf([...base, ...last]), ...encoder];
  const overlay = files.mark === undefined ? ['[base]null'] : overlayFilters(plan, 1);
  const palette = plan.gifHighColor
    ? 'split[one][two];[one]palettegen[palette];[two][palette]paletteuse'
    : undefined;
  const tail = [...last, ...(palette === undefined ? [] : [palette])];
  const graph = [
    `[0:${video.index}]${base.length === 0 ? 'null' : base.join(',')}[base]`,
    ...overlay.slice(0, -1),
    `${overlay.at(-1)}${tail.length === 0 ? '' : `,${tail.join(',')}`}[shown]`,
  ].join(';');
  return ['-filter_complex', graph, '-map', '[shown]', ...encoder];
}

function vf(filters: readonly string[]): string[] {
  return filters.length === 0 ? [] : ['-vf', filters.join(',')];
}

/** Subtitles keep the video's original time, but a cut video has lost its beginning. */
function subtitleFilter({ ss }: AvthumbPlan, file: string): string {
  if (ss === undefined) return `subtitles=filename=${file}`;
  return `setpts=PTS+${ss}/TB,subtitles=filename=${file},setpts=PTS-${ss}/TB`;
}
