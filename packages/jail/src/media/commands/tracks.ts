/** Which tracks of the source go into the result of avthumb: all that its format can hold. What is left out is said. */
import { type AvthumbPlan, audioCodecOf, videoCodecOf } from '@millpond/protocol';
import { commandFailed } from '../engine-messages.ts';
import { ProcessingError } from '../failure.ts';
import type { AudioFacts, MediaFacts, SubtitleFacts, VideoFacts } from '../probe.ts';

export interface SubtitleTrack {
  readonly facts: SubtitleFacts;
  readonly codec: string;
}

export interface ChosenTracks {
  readonly video: VideoFacts | undefined;
  readonly sounds: readonly AudioFacts[];
  readonly subtitles: readonly SubtitleTrack[];
  /** What the format could not hold. */
  readonly leftOut: readonly string[];
}

type Format = AvthumbPlan['format'];

/** Formats that hold several sound tracks. Playlists name further ones in lists of their own, which are not made. */
const MANY_SOUNDS: ReadonlySet<Format> = new Set([
  'mp4',
  'mov',
  'mkv',
  'webm',
  'avi',
  'ts',
  '3gp',
  'm4a',
  'ogv',
  'wmv',
]);
/** Limit for hostile files. No film has more tracks. */
const MAX_TRACKS = 32;

/** Codecs of sound that these containers hold, for tracks that are copied; others hold any, or only one track. */
const COPIED: Partial<Record<Format, RegExp>> = {
  mp4: /^(?:aac|mp[23]|e?ac3|opus|flac|alac|dts)$/,
  mov: /^(?:aac|mp[23]|e?ac3|alac|pcm_\w+)$/,
  '3gp': /^(?:aac|amr_[nw]b)$/,
  m4a: /^(?:aac|alac|ac3)$/,
  webm: /^(?:opus|vorbis)$/,
  ts: /^(?:aac|mp[23]|e?ac3|opus|dts)$/,
  ogv: /^(?:vorbis|opus|flac)$/,
  avi: /^(?:aac|mp[23]|ac3|dts|pcm_\w+)$/,
  wmv: /^(?:wmav[12]|mp3|aac|ac3|pcm_\w+)$/,
};

const TEXTS: ReadonlySet<string> = new Set([
  'subrip',
  'srt',
  'ass',
  'ssa',
  'webvtt',
  'mov_text',
  'text',
  'microdvd',
  'sami',
  'subviewer',
]);
interface SubtitleRules {
  /** Codecs that are copied. */
  readonly copied?: RegExp;
  /** What other texts become. */
  readonly text?: string;
  /** For the user whose subtitle is neither. */
  readonly holds: string;
}

const TEXT_ONLY = 'holds subtitles of text only, no pictures';
const SUBTITLES: Partial<Record<Format, SubtitleRules>> = {
  mp4: { text: 'mov_text', holds: TEXT_ONLY },
  mov: { text: 'mov_text', holds: TEXT_ONLY },
  '3gp': { text: 'mov_text', holds: TEXT_ONLY },
  webm: { text: 'webvtt', holds: TEXT_ONLY },
  mkv: {
    copied: /^(?:subrip|ass|webvtt|dvd_subtitle|hdmv_pgs_subtitle|dvb_subtitle)$/,
    text: 'srt',
    holds: 'does not hold subtitles of their codec',
  },
  ts: { copied: /^(?:dvb_subtitle|dvb_teletext)$/, holds: 'holds only those of DVB' },
};

/** The codec of a subtitle in this format; undefined if it cannot hold it. */
function subtitleCodec(format: Format, codec: string): string | undefined {
  const rules = SUBTITLES[format];
  if (rules?.copied?.test(codec)) return 'copy';
  return TEXTS.has(codec) ? rules?.text : undefined;
}

export function chooseTracks(plan: AvthumbPlan, facts: MediaFacts): ChosenTracks {
  const video = videoCodecOf(plan) === undefined ? undefined : facts.video;
  const sounds = audioCodecOf(plan) === undefined ? [] : chooseSounds(plan, facts.audios);
  if (plan.format === 'gif' && video === undefined)
    throw new ProcessingError('source', commandFailed('not a valid video'));
  if (video === undefined && sounds.length === 0) {
    const what = facts.video === undefined ? 'video' : 'audio';
    throw new ProcessingError('source', commandFailed(`the source has no ${what} for ${plan.format}`));
  }
  const subtitles = video === undefined || plan.sn ? [] : chooseSubtitles(plan, facts.subtitles);
  return { video, sounds, subtitles, leftOut: leftOut(plan, facts, { video, sounds, subtitles }) };
}

/** The first one in any case: if it cannot be held, the command fails. */
function chooseSounds(
  { format, acodec }: AvthumbPlan,
  [first, ...more]: readonly AudioFacts[],
): AudioFacts[] {
  if (first === undefined) return [];
  if (!MANY_SOUNDS.has(format)) return [first];
  const held = acodec === 'copy' ? COPIED[format] : undefined;
  return [first, ...more.filter(({ codec }) => held?.test(codec) ?? true)].slice(0, MAX_TRACKS);
}

function chooseSubtitles({ format }: AvthumbPlan, all: readonly SubtitleFacts[]): SubtitleTrack[] {
  return all
    .flatMap((facts) => {
      const codec = subtitleCodec(format, facts.codec);
      return codec === undefined ? [] : [{ facts, codec }];
    })
    .slice(0, MAX_TRACKS);
}

/** Only of kinds that the format is for: whoever asks for an mp3 of a film wants no subtitles. */
function leftOut(
  plan: AvthumbPlan,
  facts: MediaFacts,
  { video, sounds, subtitles }: Omit<ChosenTracks, 'leftOut'>,
): string[] {
  const { format, sn } = plan;
  const videos = video === undefined ? 0 : facts.videos - 1;
  const missingSounds = sounds.length === 0 ? 0 : facts.audios.length - sounds.length;
  const missingSubtitles =
    video === undefined || sn || format === 'gif' ? 0 : facts.subtitles.length - subtitles.length;
  return [
    ...(videos === 0 ? [] : [`${countOf(videos, facts.videos, 'video')}: only the first is encoded`]),
    ...(missingSounds === 0
      ? []
      : [`${countOf(missingSounds, facts.audios.length, 'sound')}: ${format} cannot hold more of them`]),
    ...(missingSubtitles === 0
      ? []
      : [
          `${countOf(missingSubtitles, facts.subtitles.length, 'subtitle')}: ${format} ${SUBTITLES[format]?.holds ?? 'holds none'}`,
        ]),
  ];
}

function countOf(missing: number, all: number, kind: string): string {
  return `${missing} of ${all} ${kind} tracks ${missing === 1 ? 'is' : 'are'} left out`;
}

/** An engine that reports success has not always written what was asked for. */
export function checkResult(chosen: ChosenTracks, result: MediaFacts): void {
  if (chosen.video !== undefined && result.video === undefined)
    throw new ProcessingError('source', 'the result has no video');
  if (result.audios.length < chosen.sounds.length)
    throw new ProcessingError('source', 'the result has no sound');
}
