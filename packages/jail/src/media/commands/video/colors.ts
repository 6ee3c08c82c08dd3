/**
 * What the numbers of a video's frames mean as colours, and the filters that keep or change it. Players guess where a file does not
 * say, by the height of the frame; ffmpeg guesses BT.601. So a frame is named before it is filtered, and results say what they are.
 */
import { type AvthumbPlan, videoCodecOf } from '@millpond/protocol';
import type { VideoFacts } from '../../probe.ts';
import { degreesOf, resultSize, shownSize } from './frame-size.ts';

export interface ColorNames {
  /** Names of the scaler, and of the tag, which distinguishes two for BT.2020. */
  readonly matrix: string;
  readonly space: string;
  readonly primaries: string;
  readonly transfer: string;
}

const allAs = (name: string): ColorNames => ({
  matrix: name,
  space: name,
  primaries: name,
  transfer: name,
});
const BT601 = allAs('smpte170m');
const BT709 = allAs('bt709');
const named: Readonly<Record<NonNullable<AvthumbPlan['colorspace']>, ColorNames>> = {
  bt601: BT601,
  bt709: BT709,
  bt2020: { matrix: 'bt2020', space: 'bt2020nc', primaries: 'bt2020', transfer: 'bt2020-10' },
};

/** As players do. */
const HD_LINES = 720;
/** By their standards, whatever the size. */
const ALWAYS_BT601: ReadonlySet<string> = new Set(['vp8', 'theora']);

export function isHdr({ color }: VideoFacts): boolean {
  return color.transfer === 'smpte2084' || color.transfer === 'arib-std-b67';
}

function isRgb({ pixelFormat }: VideoFacts): boolean {
  return /^(?:x2|0|a)?(?:rgb|bgr|gbr)|^pal8|^mono/.test(pixelFormat);
}

/** For a video that does not say what its colours are; undefined for any other. */
function assumedColors(video: VideoFacts): ColorNames | undefined {
  if (video.color.space !== undefined || isRgb(video)) return undefined;
  return video.height >= HD_LINES && !ALWAYS_BT601.has(video.codec) ? BT709 : BT601;
}

/** Before any other filter. */
export function nameColors(video: VideoFacts): string[] {
  const assumed = assumedColors(video);
  return assumed === undefined ? [] : [tagFrames(assumed)];
}

/** Maps HDR to BT.709, in floating numbers: after scaling down, because it costs as much as the encoder. */
function mapHdr(video: VideoFacts): string[] {
  if (!isHdr(video)) return [];
  const source = `tin=${video.color.transfer}:min=2020_ncl:pin=2020:rin=${fullRange(video) ? 'pc' : 'tv'}`;
  return [
    `zscale=${source}:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=709',
    'tonemap=hable:desat=0',
    'zscale=t=709:m=709:r=tv',
    'format=yuv420p',
  ];
}

/** They cannot say what their colours are: the same guesses are made of them as of sources. */
const WITHOUT_TAGS: ReadonlySet<string> = new Set(['libtheora', 'libxvid', 'flv', 'wmv2']);

/** What the colours of an avthumb's result are called; undefined: as in the source. */
function resultColors(plan: AvthumbPlan, video: VideoFacts): ColorNames | undefined {
  const codec = videoCodecOf(plan) ?? '';
  if (codec === 'gif' || keepsHdr(plan, video)) return undefined;
  if (plan.colorspace !== undefined) return named[plan.colorspace];
  if (WITHOUT_TAGS.has(codec)) {
    const lines = (resultSize(plan, video) ?? shownSize(video, degreesOf(plan, video))).height;
    return lines >= HD_LINES && codec !== 'libtheora' ? BT709 : BT601;
  }
  if (isHdr(video) || isRgb(video)) return BT709;
  return assumedColors(video);
}

function keepsHdr(plan: AvthumbPlan, video: VideoFacts): boolean {
  return plan.hdr === 'keep' && isHdr(video);
}

/** Undefined: whatever the encoder likes best. */
export function pixelFormatOf(plan: AvthumbPlan, video: VideoFacts): string | undefined {
  if (plan.format === 'gif') return undefined;
  if (keepsHdr(plan, video)) return 'yuv420p10le';
  return keepsAlpha(plan, video) ? 'yuva420p' : 'yuv420p';
}

/** Whether some of the frame may be transparent. Of a gif its frames say it: most of those that could be are not. */
export function hasAlpha(video: VideoFacts): boolean {
  return video.codec === 'gif' ? video.hasTransparentFrames : mayHaveAlpha(video);
}

function mayHaveAlpha({ hasHiddenAlpha, pixelFormat }: VideoFacts): boolean {
  return hasHiddenAlpha || /^(?:yuva|gbrap|rgba|bgra|argb|abgr|ya)/.test(pixelFormat);
}

/** Before the input. The other decoders of VP8 and VP9 drop what is transparent. */
export function decoderArguments({ hasHiddenAlpha, codec }: VideoFacts): string[] {
  if (!hasHiddenAlpha || !/^vp[89]$/.test(codec)) return [];
  return ['-c:v', codec === 'vp8' ? 'libvpx' : 'libvpx-vp9'];
}

export function keepsAlpha(plan: AvthumbPlan, video: VideoFacts): boolean {
  const codec = videoCodecOf(plan);
  if (codec === 'gif') return mayHaveAlpha(video);
  return hasAlpha(video) && (codec === 'libvpx' || codec === 'libvpx-vp9');
}

/** After the frame has its size, before anything is laid over it. */
export function resultColorFilters(plan: AvthumbPlan, video: VideoFacts): string[] {
  const format = pixelFormatOf(plan, video);
  const colors = resultColors(plan, video);
  if (keepsHdr(plan, video)) return [`format=${format}`];
  return [
    ...mapHdr(video),
    ...(format === undefined ? [] : [...toRange(video, colors), `format=${format}`]),
    ...(colors === undefined ? [] : [tagFrames(colors)]),
  ];
}

/** The scaler is told to where only if that is elsewhere. */
function toRange(video: VideoFacts, colors: ColorNames | undefined): string[] {
  const own = isHdr(video) ? BT709 : isRgb(video) ? undefined : assumedColors(video);
  const isElsewhere = colors !== undefined && colors !== own;
  if (isElsewhere) return [`scale=out_color_matrix=${colors.matrix}:out_range=tv`];
  return fullRange(video) && !isHdr(video) ? ['scale=out_range=tv'] : [];
}

/** A mark is drawn in the colours of what lies under it. */
export function markColorFilters(plan: AvthumbPlan, video: VideoFacts): string[] {
  const { matrix } = resultColors(plan, video) ?? {
    matrix: scalerNames[video.color.space ?? ''] ?? 'smpte170m',
  };
  return [`scale=out_color_matrix=${matrix}:out_range=tv`, 'format=yuva420p'];
}

const scalerNames: Readonly<Record<string, string>> = {
  bt709: 'bt709',
  fcc: 'fcc',
  bt470bg: 'bt470bg',
  smpte170m: 'smpte170m',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

/** ffmpeg 7 takes the tags of the file from the frames, ffmpeg 5 from the arguments. */
export function resultColorArguments(plan: AvthumbPlan, video: VideoFacts): string[] {
  const colors = resultColors(plan, video);
  return colors === undefined ? [] : tagArguments(colors);
}

/** For videos that are joined: all of them as the first is, in the range of video. */
export function commonColors(first: VideoFacts | undefined): ColorNames {
  if (first === undefined || isRgb(first) || isHdr(first)) return BT709;
  const { space } = first.color;
  if (space === undefined) return assumedColors(first) ?? BT709;
  return space === 'smpte170m' || space === 'bt470bg' ? BT601 : BT709;
}

export function toCommonColors(video: VideoFacts, colors: ColorNames): string[] {
  const convert = `scale=out_color_matrix=${colors.matrix}:out_range=tv`;
  return [...mapHdr(video), convert, 'format=yuv420p', tagFrames(colors)];
}

/** A jpeg says nothing of its colours, and is read as BT.601 of the full range; a png holds red, green and blue. */
export function imageColorFilters(video: VideoFacts, format: 'jpg' | 'png'): string[] {
  const mapped = mapHdr(video);
  return format === 'jpg'
    ? [...mapped, 'scale=out_color_matrix=bt601:out_range=full', 'format=yuvj420p']
    : mapped;
}

function fullRange({ color, pixelFormat }: VideoFacts): boolean {
  return color.range === 'pc' || pixelFormat.startsWith('yuvj');
}

function tagFrames({ space, primaries, transfer }: ColorNames): string {
  return `setparams=colorspace=${space}:color_primaries=${primaries}:color_trc=${transfer}`;
}

export function tagArguments({ space, primaries, transfer }: ColorNames): string[] {
  return ['-colorspace', space, '-color_primaries', primaries, '-color_trc', transfer, '-color_range', 'tv'];
}
