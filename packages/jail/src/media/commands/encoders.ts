/** Arguments of the video encoders and of the file, from a plan of avthumb and what is known of the source. */
import { type AvthumbPlan, avthumbFormat, videoCodecOf } from '@millpond/protocol';
import type { MediaFacts, VideoFacts } from '../probe.ts';
import { shownSeconds } from './source-facts.ts';
import { keepsAlpha, resultColorArguments } from './video/colors.ts';
import { rateArguments } from './video/frame-rate.ts';

const muxers: Readonly<Record<AvthumbPlan['format'], string>> = {
  mp4: 'mp4',
  mov: 'mov',
  mkv: 'matroska',
  flv: 'flv',
  flash: 'flv',
  avi: 'avi',
  webm: 'webm',
  ogv: 'ogg',
  '3gp': '3gp',
  ts: 'mpegts',
  wmv: 'asf',
  gif: 'gif',
  m3u8: 'hls',
  mp3: 'mp3',
  m4a: 'ipod',
  aac: 'adts',
  ogg: 'ogg',
  opus: 'opus',
  flac: 'flac',
  wav: 'wav',
  wma: 'asf',
};

/** Puts the index first, so that players can begin before everything has arrived. */
const indexed: ReadonlySet<string> = new Set(['mp4', 'mov', '3gp', 'ipod']);

export function muxerArguments({ format, writeXing }: AvthumbPlan): string[] {
  const muxer = muxers[format];
  return [
    '-f',
    muxer,
    ...(indexed.has(muxer) ? ['-movflags', '+faststart'] : []),
    ...(writeXing === false ? ['-write_xing', '0'] : []),
  ];
}

export function fileArguments({ aspect }: AvthumbPlan): string[] {
  return aspect === undefined ? [] : ['-aspect', `${aspect.width}:${aspect.height}`];
}

const VIDEO_RATES: Readonly<Record<string, readonly string[]>> = {
  libx264: ['-preset', 'veryfast', '-crf', '23'],
  libx265: ['-preset', 'veryfast', '-crf', '28'],
  libvpx: ['-deadline', 'good', '-cpu-used', '4', '-b:v', '700k'],
  'libvpx-vp9': ['-deadline', 'good', '-cpu-used', '5', '-row-mt', '1', '-crf', '33', '-b:v', '0'],
  libtheora: ['-q:v', '7'],
  libxvid: ['-q:v', '4'],
  flv: ['-b:v', '512k'],
  wmv2: ['-b:v', '1000k'],
  gif: [],
};

/** For the encoded stream; `source` says above which rate there is nothing to gain. `x265`: further parameters of that encoder. */
export function videoArguments(plan: AvthumbPlan, source: VideoFacts, x265: readonly string[]): string[] {
  const codec = videoCodecOf(plan) ?? '';
  if (codec === 'copy') return ['-c:v', 'copy', ...(source.codec === 'hevc' ? h265Tag(plan) : [])];
  return [
    '-c:v',
    codec,
    ...bitrateArguments(plan, codec, source),
    ...rateArguments(plan, source),
    ...(codec === 'libx265' ? h265Tag(plan) : []),
    ...(codec === 'libx265' ? ['-x265-params', ['log-level=error', ...x265].join(':')] : []),
    // The library makes no hidden frames for transparent video.
    ...(codec !== 'gif' && keepsAlpha(plan, source) ? ['-auto-alt-ref', '0'] : []),
    ...(plan.gop === undefined
      ? []
      : ['-g', String(plan.gop), '-keyint_min', String(plan.gop), '-sc_threshold', '0']),
    ...(plan.keyFramePosition === undefined ? [] : ['-force_key_frames', plan.keyFramePosition.join(',')]),
    ...(plan.ref === undefined ? [] : ['-refs', String(plan.ref)]),
    ...(plan.h264Profile === undefined ? [] : ['-profile:v', plan.h264Profile]),
    ...(plan.h264Level === undefined ? [] : ['-level:v', plan.h264Level]),
    ...resultColorArguments(plan, source),
  ];
}

/** Apple's players take H.265 in MP4 only under this name. */
export const H265_TAG = ['-tag:v', 'hvc1'];

function h265Tag({ format, segmentType }: AvthumbPlan): string[] {
  const isMp4 = format === 'mp4' || format === 'mov' || (format === 'm3u8' && segmentType === 'fmp4');
  return isMp4 ? H265_TAG : [];
}

function bitrateArguments(plan: AvthumbPlan, codec: string, source: VideoFacts): string[] {
  const preset = codec === 'libx264' || codec === 'libx265' ? ['-preset', 'veryfast'] : [];
  const formatRate = plan.vcodec === undefined ? avthumbFormat(plan.format).videoRate : undefined;
  const asked = plan.vb ?? (plan.crf === undefined ? formatRate : undefined);
  const most =
    plan.maxrate === undefined
      ? []
      : ['-maxrate', String(plan.maxrate), '-bufsize', String(2 * plan.maxrate)];
  if (asked !== undefined) {
    const rate = Math.min(asked, source.bitrate ?? asked);
    const peak =
      most.length > 0 || codec === 'gif'
        ? most
        : ['-maxrate', String(Math.round(rate * 1.5)), '-bufsize', String(2 * rate)];
    return [...preset, '-b:v', String(rate), ...peak];
  }
  if (plan.crf === undefined) return [...(VIDEO_RATES[codec] ?? []), ...most];
  const quality = ['-crf', String(plan.crf)];
  // VP8 takes the rate as its ceiling; VP9 has none at 0.
  if (codec === 'libvpx') return [...quality, '-b:v', String(plan.maxrate ?? 100_000_000)];
  if (codec === 'libvpx-vp9')
    return ['-row-mt', '1', '-cpu-used', '5', ...quality, '-b:v', String(plan.maxrate ?? 0)];
  return [...preset, ...quality, ...most];
}

/** How long the result will be; undefined if the source does not say. */
export function expectedSeconds({ ss = 0, t }: AvthumbPlan, facts: MediaFacts): number | undefined {
  const duration = shownSeconds(facts);
  const left = duration === undefined ? undefined : Math.max(0, duration - ss);
  return t === undefined ? left : Math.min(t, left ?? t);
}
