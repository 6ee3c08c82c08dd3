/** What ffprobe reports about a media file, in the terms that the commands need. */
import { type Fields, fieldsOf } from '@millpond/base';
import { type MediaInspection, readAvinfo } from '../inspect/avinfo.ts';

interface TrackFacts {
  readonly index: number;
  readonly codec: string;
  /** As the file has it; undefined if it does not say, or says that it is not known. */
  readonly language: string | undefined;
  readonly title: string | undefined;
  /** When it ends, in seconds from the beginning of the file, as its container says; undefined if that says nothing of it. */
  readonly end: number | undefined;
}

export interface VideoFacts extends TrackFacts {
  readonly width: number;
  readonly height: number;
  /** How wide a pixel is shown, relative to its height. */
  readonly pixelAspect: number;
  /** The clockwise rotation that the file asks for: 0, 90, 180 or 270. */
  readonly rotation: number;
  readonly bitrate: number | undefined;
  /** Frames per second as a fraction, `30000/1001`: the mean, and what all times are multiples of. */
  readonly meanRate: string | undefined;
  readonly nominalRate: string | undefined;
  /** Unit of its times, such as `1/90000`. */
  readonly timeBase: string | undefined;
  readonly pixelFormat: string;
  /** As ffmpeg names them; undefined if the file does not say. */
  readonly color: {
    readonly range: string | undefined;
    readonly space: string | undefined;
    readonly transfer: string | undefined;
    readonly primaries: string | undefined;
  };
  readonly isInterlaced: boolean;
  /** VP8 and VP9 keep transparency beside the frames, where only their own library finds it. */
  readonly hasHiddenAlpha: boolean;
  /** False as long as nobody has looked at them. */
  readonly hasTransparentFrames: boolean;
}

export interface AudioFacts extends TrackFacts {
  readonly sampleRate: number;
  readonly channels: number;
  readonly layout: string | undefined;
  readonly bitrate: number | undefined;
}

export type SubtitleFacts = TrackFacts;

/** What the file says about its content, as far as it stays in results. */
export interface FileTags {
  readonly title: string | undefined;
  readonly artist: string | undefined;
  readonly createdAt: string | undefined;
}

export interface MediaFacts {
  readonly inspection: MediaInspection;
  /** ffmpeg's names of the container, `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly container: string;
  /** Seconds; undefined if the file does not say. */
  readonly duration: number | undefined;
  /** The time of its first frame: other times are counted from there. */
  readonly start: number;
  /** Bytes of all of it. */
  readonly size: number;
  /** The first video track, which is the one that is shown. */
  readonly video: VideoFacts | undefined;
  /** How many there are, cover art not counted. */
  readonly videos: number;
  /** The first sound track. */
  readonly audio: AudioFacts | undefined;
  readonly audios: readonly AudioFacts[];
  readonly subtitles: readonly SubtitleFacts[];
  readonly tags: FileTags;
}

/** undefined: not a media file. */
export function readMediaFacts(text: string): MediaFacts | undefined {
  const inspection = readAvinfo(text);
  if (inspection === undefined) return undefined;
  const { streams, format } = inspection.avinfo;
  const { audio, video } = inspection.variable;
  const bitrate = positive(format.bit_rate);
  const ofType = (type: string): Fields[] => streams.filter(({ codec_type }) => codec_type === type);
  const ends = endsOf(format);
  const audios = ofType('audio').map((stream) =>
    audioFacts(stream, video === undefined ? bitrate : undefined, ends(stream)),
  );
  return {
    inspection,
    container: textOf(format.format_name) ?? '',
    duration: positive(format.duration) ?? positive(video?.duration) ?? positive(audio?.duration),
    start: numberOf(format.start_time) ?? 0,
    size: positive(format.size) ?? 0,
    video:
      video === undefined
        ? undefined
        : videoFacts(video, audio === undefined ? bitrate : undefined, ends(video)),
    videos: ofType('video').filter(({ disposition }) => fieldsOf(disposition).attached_pic !== 1).length,
    audio: audios[0],
    audios,
    subtitles: ofType('subtitle').map((stream) => trackFacts(stream, undefined)),
    tags: fileTags([format, ...ofType('audio')]),
  };
}

function trackFacts(stream: Fields, end: number | undefined): TrackFacts {
  const language = tagOf(stream, 'language');
  return {
    index: positive(stream.index) ?? 0,
    codec: String(stream.codec_name),
    language: language === 'und' ? undefined : language,
    title: tagOf(stream, 'title'),
    end,
  };
}

/** `bitrate` is that of the file, if it holds nothing else. */
function videoFacts(stream: Fields, bitrate: number | undefined, end: number | undefined): VideoFacts {
  return {
    ...trackFacts(stream, end),
    width: positive(stream.width) ?? 0,
    height: positive(stream.height) ?? 0,
    pixelAspect: quotient(textOf(stream.sample_aspect_ratio)?.replace(':', '/')) ?? 1,
    rotation: rotationOf(stream),
    bitrate: positive(stream.bit_rate) ?? bitrate,
    meanRate: fraction(stream.avg_frame_rate),
    nominalRate: fraction(stream.r_frame_rate),
    timeBase: fraction(stream.time_base),
    pixelFormat: textOf(stream.pix_fmt) ?? '',
    color: {
      range: known(stream.color_range),
      space: known(stream.color_space),
      transfer: known(stream.color_transfer),
      primaries: known(stream.color_primaries),
    },
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(String(stream.field_order)),
    hasHiddenAlpha: tagOf(stream, 'alpha_mode') === '1',
    hasTransparentFrames: false,
  };
}

function audioFacts(stream: Fields, bitrate: number | undefined, end: number | undefined): AudioFacts {
  return {
    ...trackFacts(stream, end),
    sampleRate: positive(stream.sample_rate) ?? 0,
    channels: positive(stream.channels) ?? 0,
    layout: textOf(stream.channel_layout),
    bitrate: positive(stream.bit_rate) ?? bitrate,
  };
}

/** QuickTime and MP4 say how long each track is, Matroska when it ends. */
function endsOf(format: Fields): (stream: Fields) => number | undefined {
  const start = numberOf(format.start_time) ?? 0;
  const length = positive(format.duration) ?? Number.POSITIVE_INFINITY;
  return (stream) => {
    const own = positive(stream.duration);
    if (own !== undefined) return (numberOf(stream.start_time) ?? start) - start + own;
    const [, hours, minutes, seconds] =
      /^(\d{1,4}):(\d\d):(\d\d(?:\.\d{1,9})?)$/.exec(tagOf(stream, 'duration') ?? '') ?? [];
    if (seconds === undefined) return undefined;
    // A tag may have stayed from a longer file.
    return Math.min(length, Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  };
}

/** Tags of the file itself or, where Ogg has them, of its sound. */
function fileTags(places: readonly Fields[]): FileTags {
  const find = (name: string): string | undefined =>
    places.map((place) => tagOf(place, name)).find((value) => value !== undefined);
  return { title: find('title'), artist: find('artist'), createdAt: find('creation_time') };
}

const MAX_TAG_LENGTH = 1000;

/** Containers differ in how they write the names of tags. */
function tagOf({ tags }: Fields, name: string): string | undefined {
  const [, value] = Object.entries(fieldsOf(tags)).find(([written]) => written.toLowerCase() === name) ?? [];
  const text = textOf(value)
    ?.replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, MAX_TAG_LENGTH)
    .toWellFormed();
  return text === '' ? undefined : text;
}

/** The file's matrix rotates counter-clockwise. */
function rotationOf(stream: Fields): number {
  const sideData = Array.isArray(stream.side_data_list) ? stream.side_data_list.map(fieldsOf) : [];
  const told = sideData.find(({ rotation }) => typeof rotation === 'number')?.rotation;
  const degrees = typeof told === 'number' ? Math.round(-told / 90) * 90 : 0;
  return ((degrees % 360) + 360) % 360;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function known(value: unknown): string | undefined {
  const text = textOf(value);
  return text === 'unknown' || text === 'unspecified' || text === 'reserved' ? undefined : text;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function positive(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number > 0 ? number : undefined;
}

function fraction(value: unknown): string | undefined {
  const text = textOf(value);
  return quotient(text) === undefined ? undefined : text;
}

/** Value of a fraction such as `30000/1001`; undefined if it is none, or not positive. */
export function quotient(text: string | undefined): number | undefined {
  const [, above, below] = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? '') ?? [];
  return above === undefined || Number(below) === 0 ? undefined : positive(Number(above) / Number(below));
}
