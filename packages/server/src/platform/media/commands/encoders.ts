/** Arguments of the encoders, from a plan of avthumb and what is known of the source. */
import { type AvthumbPlan, audioCodecOf, avthumbFormat, videoCodecOf } from '@millpond/protocol';
import type { AudioFacts, MediaFacts, VideoFacts } from '../probe.ts';
import { colorArguments } from './video-filters.ts';

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
    ...['-f', muxer],
    ...(indexed.has(muxer) ? ['-movflags', '+faststart'] : []),
    ...(writeXing === false ? ['-write_xing', '0'] : []),
  ];
}

export function fileArguments({ stripmeta, aspect }: AvthumbPlan): string[] {
  return [
    ...(stripmeta ? ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'] : []),
    ...(aspect === undefined ? [] : ['-aspect', `${aspect.width}:${aspect.height}`]),
  ];
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

/** For the encoded stream; `source` says above which rate there is nothing to gain. */
export function videoArguments(plan: AvthumbPlan, source: VideoFacts): string[] {
  const codec = videoCodecOf(plan) ?? '';
  if (codec === 'copy') return ['-c:v', 'copy'];
  return [
    ...['-c:v', codec, ...rateArguments(plan, codec, source)],
    ...(codec === 'libx265' && plan.format !== 'mkv' && plan.format !== 'ts' && plan.format !== 'm3u8'
      ? ['-tag:v', 'hvc1']
      : []),
    ...(codec === 'libx265' ? ['-x265-params', 'log-level=error'] : []),
    ...(plan.gop === undefined
      ? []
      : ['-g', String(plan.gop), '-keyint_min', String(plan.gop), '-sc_threshold', '0']),
    ...(plan.keyFramePosition === undefined ? [] : ['-force_key_frames', plan.keyFramePosition.join(',')]),
    ...(plan.ref === undefined ? [] : ['-refs', String(plan.ref)]),
    ...(plan.h264Profile === undefined ? [] : ['-profile:v', plan.h264Profile]),
    ...(plan.h264Level === undefined ? [] : ['-level:v', plan.h264Level]),
    ...colorArguments(plan),
  ];
}

function rateArguments(plan: AvthumbPlan, codec: string, source: VideoFacts): string[] {
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

const DEFAULT_AUDIO_RATE = 128_000;
const WITHOUT_RATE: ReadonlySet<string> = new Set(['flac', 'pcm_s16le']);

export function audioArguments(plan: AvthumbPlan, source: AudioFacts): string[] {
  const codec = audioCodecOf(plan) ?? '';
  if (codec === 'copy') return ['-c:a', 'copy'];
  const channels = plan.ac ?? (codec === 'libmp3lame' && source.channels > 2 ? 2 : undefined);
  const sampleRate = plan.ar ?? sampleRateFor(plan, codec, source);
  const filters = [
    ...(plan.volume === undefined ? [] : [`volume=${plan.volume}`]),
    ...(plan.loudnorm ? ['loudnorm'] : []),
  ];
  return [
    ...['-c:a', codec, ...audioRate(plan, codec, source)],
    ...(sampleRate === undefined ? [] : ['-ar', String(sampleRate)]),
    ...(channels === undefined ? [] : ['-ac', String(channels)]),
    ...(filters.length === 0 ? [] : ['-af', filters.join(',')]),
    ...(plan.compressLevel === undefined ? [] : ['-compression_level', String(plan.compressLevel)]),
  ];
}

/** loudnorm works at a high rate of its own, and would leave that in the file. */
function sampleRateFor(plan: AvthumbPlan, codec: string, source: AudioFacts): number | undefined {
  const byFormat = avthumbFormat(plan.format).sampleRate;
  if (byFormat !== undefined && plan.acodec === undefined) return byFormat;
  if (codec === 'libmp3lame' && source.sampleRate > 48_000) return 48_000;
  if (!plan.loudnorm) return undefined;
  return codec === 'libopus' ? 48_000 : Math.min(48_000, source.sampleRate);
}

function audioRate(plan: AvthumbPlan, codec: string, source: AudioFacts): string[] {
  if (WITHOUT_RATE.has(codec)) return [];
  if (plan.aq !== undefined) {
    // The scale of 10 to 500 belonged to another encoder; ffmpeg's own goes from 0.1 to 2.
    const quality = codec === 'aac' ? 0.1 + ((plan.aq - 10) / 490) * 1.9 : plan.aq;
    return ['-q:a', String(Math.round(quality * 1000) / 1000)];
  }
  const asked = plan.ab ?? avthumbFormat(plan.format).audioRate ?? DEFAULT_AUDIO_RATE;
  return ['-b:a', String(Math.min(asked, source.bitrate ?? asked))];
}

/** How long the result will be; undefined if the source does not say. */
export function expectedSeconds({ ss = 0, t }: AvthumbPlan, { duration }: MediaFacts): number | undefined {
  const left = duration === undefined ? undefined : Math.max(0, duration - ss);
  return t === undefined ? left : Math.min(t, left ?? t);
}
