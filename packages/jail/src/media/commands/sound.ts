/** Arguments of the sound encoders of avthumb, for each track: codec, rate, channels, filters. */
import { type AvthumbPlan, audioCodecOf, avthumbFormat } from '@millpond/protocol';
import type { AudioFacts } from '../probe.ts';

const RATE_OF_CHANNEL = 64_000;
const HIGHEST_DEFAULT_RATE = 384_000;
/** Bit rate of a channel. What a codec for speech does with less, others cannot do with the same. */
const COMPARABLE_RATE = 48_000;
const WITHOUT_RATE: ReadonlySet<string> = new Set(['flac', 'pcm_s16le']);
/** More than two are for players that have more speakers; those of these formats have not. */
const STEREO_FORMATS: ReadonlySet<AvthumbPlan['format']> = new Set(['m3u8', 'flv', 'flash', '3gp']);
const MAX_CHANNELS: Readonly<Record<string, number>> = { libmp3lame: 2, wmav2: 2, aac: 6, ac3: 6 };

/** Sample rates of MP3 in FLV, which has no number for others. */
const FLV_RATES: ReadonlySet<number> = new Set([11_025, 22_050, 44_100, 48_000]);

const OF_XIPH = ['mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'];
/**
 * Layouts that a codec has a number for, by the number of channels. AAC describes others in words that many decoders do not
 * understand, Opus refuses them: `5.1(side)` of a film is one.
 */
const LAYOUTS: Readonly<Record<string, readonly string[]>> = {
  aac: ['mono', 'stereo', '3.0', '4.0', '5.0', '5.1'],
  libopus: OF_XIPH,
  libvorbis: OF_XIPH,
};
/** Where only their number is reduced. */
const USUAL_LAYOUTS = ['mono', 'stereo', '3.0', '4.0', '5.0', '5.1', '6.1', '7.1'];

/** Sound that begins later than the video, or pauses, is filled up where its times get lost: in AVI, and where videos are joined. */
export const SILENCE_IN_GAPS = 'aresample=async=1:first_pts=0';

/** Channels of the result. */
function channelsOf(plan: AvthumbPlan, { channels }: AudioFacts): number {
  const most = STEREO_FORMATS.has(plan.format) ? 2 : (MAX_CHANNELS[audioCodecOf(plan) ?? ''] ?? 8);
  return plan.ac ?? Math.min(channels === 0 ? 2 : channels, most);
}

/** Before all other filters, which then work on the channels of the result. */
export function layoutFilters(plan: AvthumbPlan, source: AudioFacts): string[] {
  const channels = channelsOf(plan, source);
  const own = LAYOUTS[audioCodecOf(plan) ?? ''];
  const layout = (own ?? USUAL_LAYOUTS)[channels - 1];
  const stays = channels === source.channels && (own === undefined || layout === source.layout);
  return layout === undefined || stays ? [] : [`aformat=channel_layouts=${layout}`];
}

interface FurtherFilters {
  /** These drop what comes before the beginning that was asked for. */
  readonly seek: readonly string[];
  /** These bring it to its loudness. */
  readonly loudness: readonly string[];
}

/** For the track that is the result's `at`th. */
export function soundArguments(
  plan: AvthumbPlan,
  source: AudioFacts,
  { seek, loudness }: FurtherFilters,
  at: number,
): string[] {
  const codec = audioCodecOf(plan) ?? '';
  if (codec === 'copy') return [`-c:a:${at}`, 'copy'];
  const sampleRate = plan.ar ?? sampleRateFor(plan, codec, source);
  const filters = [
    ...seek,
    ...(plan.format === 'avi' ? [SILENCE_IN_GAPS] : []),
    ...layoutFilters(plan, source),
    ...volumeFilters(plan),
    ...loudness,
  ];
  return [
    `-c:a:${at}`,
    codec,
    ...audioRate(plan, codec, source, at),
    ...(sampleRate === undefined ? [] : [`-ar:a:${at}`, String(sampleRate)]),
    ...(plan.ac === undefined ? [] : [`-ac:a:${at}`, String(plan.ac)]),
    ...(filters.length === 0 ? [] : [`-filter:a:${at}`, filters.join(',')]),
    ...(plan.compressLevel === undefined ? [] : [`-compression_level:a:${at}`, String(plan.compressLevel)]),
  ];
}

export function volumeFilters({ volume }: AvthumbPlan): string[] {
  return volume === undefined ? [] : [`volume=${volume}`];
}

/** A limiter works at a high rate of its own, and would leave that in the file. */
function sampleRateFor(plan: AvthumbPlan, codec: string, source: AudioFacts): number | undefined {
  const byFormat = avthumbFormat(plan.format).sampleRate;
  if (byFormat !== undefined && plan.acodec === undefined) return byFormat;
  if (codec === 'libmp3lame' && source.sampleRate > 48_000) return 48_000;
  if (codec === 'libmp3lame' && plan.format === 'flv' && !FLV_RATES.has(source.sampleRate)) return 44_100;
  if (!plan.loudnorm) return undefined;
  return codec === 'libopus' ? 48_000 : Math.min(48_000, source.sampleRate);
}

function audioRate(plan: AvthumbPlan, codec: string, source: AudioFacts, at: number): string[] {
  if (WITHOUT_RATE.has(codec)) return [];
  if (plan.aq !== undefined) {
    // The scale of 10 to 500 belonged to another encoder; ffmpeg's own goes from 0.1 to 2.
    const quality = codec === 'aac' ? 0.1 + ((plan.aq - 10) / 490) * 1.9 : plan.aq;
    return [`-q:a:${at}`, String(Math.round(quality * 1000) / 1000)];
  }
  const channels = channelsOf(plan, source);
  const byChannels = Math.min(HIGHEST_DEFAULT_RATE, RATE_OF_CHANNEL * channels);
  const usual = channels > 2 ? byChannels : (avthumbFormat(plan.format).audioRate ?? byChannels);
  const asked = plan.ab ?? usual;
  const least = plan.ab === undefined ? COMPARABLE_RATE * channels : 0;
  const most = source.bitrate === undefined ? asked : Math.max(source.bitrate, least);
  const rate = Math.min(asked, most);
  const sampleRate = plan.ar ?? sampleRateFor(plan, codec, source) ?? source.sampleRate;
  return [`-b:a:${at}`, String(codec === 'libvorbis' ? vorbisRate(rate, sampleRate, channels) : rate)];
}

/** The bits per second of a channel that Vorbis takes, at sample rates below the first number; it refuses all others. */
const VORBIS_RATES: readonly (readonly [below: number, lowest: number, highest: number])[] = [
  [9_000, 8_000, 32_000],
  [15_000, 12_000, 44_000],
  [19_000, 16_000, 86_000],
  [26_000, 16_000, 86_000],
  [40_000, 32_000, 90_000],
  [Number.POSITIVE_INFINITY, 32_000, 240_000],
];

/** Speech on a telephone has fewer samples, and speech from a messenger fewer bits, than music that is sold. */
function vorbisRate(rate: number, sampleRate: number, channels: number): number {
  const [, lowest, highest] = VORBIS_RATES.find(([below]) => sampleRate < below) ?? [0, rate, rate];
  return Math.min(highest * channels, Math.max(lowest * channels, rate));
}
