/** What ffprobe reports about a media file, in the terms that the commands need. */

import { type MediaInspection, readAvinfo } from '../inspect/avinfo.ts';
import { type Fields, fieldsOf } from '../json.ts';

export interface VideoFacts {
  readonly index: number;
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** The clockwise rotation that the file asks for: 0, 90, 180 or 270. */
  readonly rotation: number;
  readonly bitrate: number | undefined;
  readonly framesPerSecond: number | undefined;
  readonly pixelFormat: string | undefined;
}

export interface AudioFacts {
  readonly index: number;
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitrate: number | undefined;
}

export interface MediaFacts {
  readonly inspection: MediaInspection;
  /** Seconds; undefined if the file does not say. */
  readonly duration: number | undefined;
  readonly video: VideoFacts | undefined;
  readonly audio: AudioFacts | undefined;
}

/** undefined: not a media file. */
export function readMediaFacts(text: string): MediaFacts | undefined {
  const inspection = readAvinfo(text);
  if (inspection === undefined) return undefined;
  const { audio, video, format } = inspection.variable;
  const bitrate = positive(format.bit_rate);
  return {
    inspection,
    duration: positive(format.duration) ?? positive(video?.duration) ?? positive(audio?.duration),
    video: video === undefined ? undefined : videoFacts(video, audio === undefined ? bitrate : undefined),
    audio: audio === undefined ? undefined : audioFacts(audio, video === undefined ? bitrate : undefined),
  };
}

/** `bitrate` is that of the file, if it holds nothing else. */
function videoFacts(stream: Fields, bitrate: number | undefined): VideoFacts {
  return {
    index: positive(stream.index) ?? 0,
    codec: String(stream.codec_name),
    width: positive(stream.width) ?? 0,
    height: positive(stream.height) ?? 0,
    rotation: rotationOf(stream),
    bitrate: positive(stream.bit_rate) ?? bitrate,
    framesPerSecond: quotient(stream.avg_frame_rate) ?? quotient(stream.r_frame_rate),
    pixelFormat: typeof stream.pix_fmt === 'string' ? stream.pix_fmt : undefined,
  };
}

function audioFacts(stream: Fields, bitrate: number | undefined): AudioFacts {
  return {
    index: positive(stream.index) ?? 0,
    codec: String(stream.codec_name),
    sampleRate: positive(stream.sample_rate) ?? 0,
    channels: positive(stream.channels) ?? 0,
    bitrate: positive(stream.bit_rate) ?? bitrate,
  };
}

/** The file's matrix rotates counter-clockwise. */
function rotationOf(stream: Fields): number {
  const sideData = Array.isArray(stream.side_data_list) ? stream.side_data_list.map(fieldsOf) : [];
  const told = sideData.find(({ rotation }) => typeof rotation === 'number')?.rotation;
  const degrees = typeof told === 'number' ? Math.round(-told / 90) * 90 : 0;
  return ((degrees % 360) + 360) % 360;
}

function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined;
}

function quotient(value: unknown): number | undefined {
  const [, above, below] = (typeof value === 'string' && /^(\d{1,9})\/(\d{1,9})$/.exec(value)) || [];
  return above === undefined || Number(below) === 0 ? undefined : positive(Number(above) / Number(below));
}
