/** The command line of avthumb without its output: inputs, streams, filters, encoders. */
import { type AvthumbPlan, audioCodecOf, videoCodecOf } from '@millpond/protocol';
import { inputArguments } from '../job.ts';
import type { MediaFacts, VideoFacts } from '../probe.ts';
import { fileArguments, videoArguments } from './encoders.ts';
import { metadataArguments } from './metadata.ts';
import { type Seek, seekTo } from './seek.ts';
import { soundArguments } from './sound.ts';
import type { ChosenTracks } from './tracks.ts';
import { decoderArguments, keepsAlpha } from './video/colors.ts';
import { lastFilters, overlayFilters, textFilter, videoFilters } from './video-filters.ts';

/** Paths inside the sandbox. */
export interface AvthumbFiles {
  readonly input: string;
  readonly mark: string | undefined;
  readonly subtitle: string | undefined;
  readonly text: string | undefined;
}

/** What was found out about the source, and decided. */
export interface AvthumbSource {
  readonly facts: MediaFacts;
  readonly tracks: ChosenTracks;
  /** Filters for the loudness of each sound track. */
  readonly loudness: readonly (readonly string[])[];
  /** Parameters of x265 that say how an HDR video was mastered. */
  readonly mastering: readonly string[];
}

export function avthumbArguments(plan: AvthumbPlan, files: AvthumbFiles, source: AvthumbSource): string[] {
  const { facts, tracks } = source;
  const { video } = tracks;
  const seek =
    plan.ss === undefined ? undefined : seekTo(plan.ss, isDecoded(plan, tracks) ? facts.container : '');
  return [
    ...inputs(plan, files, video, seek),
    ...(video === undefined ? ['-vn'] : videoPart(plan, video, files, source.mastering, seek)),
    ...soundPart(plan, source, seek),
    ...subtitlePart(plan, files, tracks),
    '-dn',
    ...(plan.t === undefined ? [] : ['-t', String(plan.t)]),
    ...fileArguments(plan),
    ...metadataArguments(plan, facts, tracks),
    '-max_muxing_queue_size',
    '1024',
  ];
}

/** Filters drop nothing of tracks that are copied. */
function isDecoded(plan: AvthumbPlan, { subtitles }: ChosenTracks): boolean {
  return videoCodecOf(plan) !== 'copy' && audioCodecOf(plan) !== 'copy' && subtitles.length === 0;
}

function soundPart(plan: AvthumbPlan, { tracks, loudness }: AvthumbSource, seek: Seek | undefined): string[] {
  if (tracks.sounds.length === 0) return ['-an'];
  return tracks.sounds.flatMap((sound, at) => [
    '-map',
    `0:${sound.index}`,
    ...soundArguments(plan, sound, { seek: seek?.sound ?? [], loudness: loudness[at] ?? [] }, at),
  ]);
}

/** The given one first, then those of the source. */
function subtitlePart(plan: AvthumbPlan, files: AvthumbFiles, { subtitles }: ChosenTracks): string[] {
  const given = isStream(plan, files) ? [`${files.mark === undefined ? 1 : 2}:s:0`] : [];
  const maps = [...given, ...subtitles.map(({ facts }) => `0:${facts.index}`)];
  if (maps.length === 0) return ['-sn'];
  const codecs = [...given.map(() => 'mov_text'), ...subtitles.map(({ codec }) => codec)];
  return [
    ...maps.flatMap((map) => ['-map', map]),
    ...codecs.flatMap((codec, at) => [`-c:s:${at}`, codec]),
    // One that is shown when the result ends would make it longer.
    ...(plan.t === undefined ? [] : ['-bsf:s', `setts=duration='max(1,min(DURATION,${plan.t}/TB-PTS))'`]),
  ];
}

function isStream({ scodec }: AvthumbPlan, { subtitle }: AvthumbFiles): boolean {
  return scodec !== undefined && subtitle !== undefined;
}

function inputs(
  plan: AvthumbPlan,
  files: AvthumbFiles,
  video: VideoFacts | undefined,
  seek: Seek | undefined,
): string[] {
  const mark = video === undefined ? undefined : files.mark;
  const delay =
    plan.wmVideo === undefined || plan.wmPos === undefined ? [] : ['-itsoffset', String(plan.wmPos)];
  return [
    ...(seek?.input ?? []),
    ...(plan.rotateinfo ? ['-noautorotate'] : []),
    ...(video === undefined || videoCodecOf(plan) === 'copy' ? [] : decoderArguments(video)),
    ...inputArguments(files.input),
    ...(mark === undefined
      ? []
      : [...delay, ...inputArguments(mark, plan.wmVideo === undefined ? 'image' : 'media')]),
    ...(isStream(plan, files) && files.subtitle !== undefined ? subtitleInput(plan, files.subtitle) : []),
  ];
}

function subtitleInput(plan: AvthumbPlan, subtitle: string): string[] {
  return [
    ...(plan.ss === undefined ? [] : ['-ss', String(plan.ss)]),
    '-protocol_whitelist',
    'file,pipe',
    '-format_whitelist',
    'srt,ass,webvtt',
    '-i',
    `file:${subtitle}`,
  ];
}

function videoPart(
  plan: AvthumbPlan,
  video: VideoFacts,
  files: AvthumbFiles,
  mastering: readonly string[],
  seek: Seek | undefined,
): string[] {
  const encoder = videoArguments(plan, video, mastering);
  if (videoCodecOf(plan) === 'copy') return ['-map', `0:${video.index}`, ...encoder];
  const burnt =
    plan.scodec === undefined && files.subtitle !== undefined ? [subtitleFilter(plan, files.subtitle)] : [];
  const base = [...(seek?.video ?? []), ...videoFilters(plan, video), ...burnt];
  const text = files.text === undefined ? [] : [textFilter(plan, files.text)];
  const last = [...text, ...lastFilters(plan, video)];
  const palette = paletteFilters(plan, video);
  if (files.mark === undefined && palette === undefined)
    return ['-map', `0:${video.index}`, ...vf([...base, ...last]), ...encoder];
  const overlay = files.mark === undefined ? ['[base]null'] : overlayFilters(plan, video, 1);
  const tail = [...last, ...(palette === undefined ? [] : [palette])];
  const graph = [
    `[0:${video.index}]${base.length === 0 ? 'null' : base.join(',')}[base]`,
    ...overlay.slice(0, -1),
    `${overlay.at(-1)}${tail.length === 0 ? '' : `,${tail.join(',')}`}[shown]`,
  ].join(';');
  return ['-filter_complex', graph, '-map', '[shown]', ...encoder];
}

/** The colours that a gif has by itself are all opaque: a transparent one has a palette for each frame. */
function paletteFilters(plan: AvthumbPlan, video: VideoFacts): string | undefined {
  if (plan.gifHighColor) return 'split[one][two];[one]palettegen[palette];[two][palette]paletteuse';
  if (plan.format !== 'gif' || !keepsAlpha(plan, video)) return undefined;
  return 'split[one][two];[one]palettegen=stats_mode=single[palette];[two][palette]paletteuse=new=1';
}

function vf(filters: readonly string[]): string[] {
  return filters.length === 0 ? [] : ['-vf', filters.join(',')];
}

/** Subtitles keep the video's original time, but a cut video has lost its beginning. */
function subtitleFilter({ ss }: AvthumbPlan, file: string): string {
  if (ss === undefined) return `subtitles=filename=${file}`;
  return `setpts=PTS+${ss}/TB,subtitles=filename=${file},setpts=PTS-${ss}/TB`;
}
