/**
 * Output formats of avthumb: the codecs that each may contain, and its defaults. Codecs are named as the command names
 * them; the first of each list is the default. `null`: the format has no such stream.
 */
export type VideoCodec =
  | 'libx264'
  | 'libx265'
  | 'libvpx'
  | 'libvpx-vp9'
  | 'libtheora'
  | 'libxvid'
  | 'flv'
  | 'wmv2'
  | 'gif';
export type AudioCodec =
  | 'aac'
  | 'libmp3lame'
  | 'libvorbis'
  | 'libopus'
  | 'flac'
  | 'pcm_s16le'
  | 'wmav2'
  | 'ac3';

export interface AvthumbFormat {
  readonly video: readonly VideoCodec[] | null;
  readonly audio: readonly AudioCodec[] | null;
  readonly mimeType: string;
  readonly extension: string;
  /** Rates that Qiniu uses for this format by default, in bits per second. */
  readonly videoRate?: number;
  readonly audioRate?: number;
  readonly sampleRate?: number;
}

const h26x: readonly VideoCodec[] = ['libx264', 'libx265', 'libxvid'];
const common: readonly AudioCodec[] = ['aac', 'libmp3lame', 'ac3'];

export const avthumbFormats = {
  mp4: { video: h26x, audio: [...common, 'libopus'], mimeType: 'video/mp4', extension: 'mp4' },
  mov: { video: h26x, audio: common, mimeType: 'video/quicktime', extension: 'mov' },
  mkv: {
    video: [...h26x, 'libvpx', 'libvpx-vp9', 'libtheora'],
    audio: [...common, 'libvorbis', 'libopus', 'flac'],
    mimeType: 'video/x-matroska',
    extension: 'mkv',
  },
  flv: {
    video: ['libx264', 'flv'],
    audio: ['aac', 'libmp3lame'],
    mimeType: 'video/x-flv',
    extension: 'flv',
  },
  flash: {
    video: ['flv'],
    audio: ['libmp3lame'],
    mimeType: 'video/x-flv',
    extension: 'flv',
    videoRate: 512_000,
    audioRate: 64_000,
    sampleRate: 44_100,
  },
  avi: {
    video: ['libx264', 'libxvid'],
    audio: ['libmp3lame', 'aac', 'ac3'],
    mimeType: 'video/x-msvideo',
    extension: 'avi',
  },
  webm: {
    video: ['libvpx', 'libvpx-vp9'],
    audio: ['libvorbis', 'libopus'],
    mimeType: 'video/webm',
    extension: 'webm',
    videoRate: 700_000,
    audioRate: 128_000,
    sampleRate: 48_000,
  },
  ogv: { video: ['libtheora'], audio: ['libvorbis'], mimeType: 'video/ogg', extension: 'ogv' },
  '3gp': { video: ['libx264'], audio: ['aac'], mimeType: 'video/3gpp', extension: '3gp' },
  ts: { video: ['libx264', 'libx265'], audio: common, mimeType: 'video/mp2t', extension: 'ts' },
  wmv: { video: ['wmv2'], audio: ['wmav2'], mimeType: 'video/x-ms-wmv', extension: 'wmv' },
  gif: { video: ['gif'], audio: null, mimeType: 'image/gif', extension: 'gif' },
  m3u8: {
    video: ['libx264', 'libx265'],
    audio: ['aac', 'libmp3lame'],
    mimeType: 'application/vnd.apple.mpegurl',
    extension: 'm3u8',
  },
  mp3: {
    video: null,
    audio: ['libmp3lame'],
    mimeType: 'audio/mpeg',
    extension: 'mp3',
    audioRate: 128_000,
    sampleRate: 44_100,
  },
  m4a: { video: null, audio: ['aac'], mimeType: 'audio/mp4', extension: 'm4a' },
  aac: { video: null, audio: ['aac'], mimeType: 'audio/aac', extension: 'aac' },
  ogg: { video: null, audio: ['libvorbis', 'libopus', 'flac'], mimeType: 'audio/ogg', extension: 'ogg' },
  opus: { video: null, audio: ['libopus'], mimeType: 'audio/opus', extension: 'opus' },
  flac: { video: null, audio: ['flac'], mimeType: 'audio/flac', extension: 'flac' },
  wav: { video: null, audio: ['pcm_s16le'], mimeType: 'audio/wav', extension: 'wav' },
  wma: { video: null, audio: ['wmav2'], mimeType: 'audio/x-ms-wma', extension: 'wma' },
} as const satisfies Record<string, AvthumbFormat>;

export type AvthumbFormatName = keyof typeof avthumbFormats;

export function avthumbFormat(name: AvthumbFormatName): AvthumbFormat {
  return avthumbFormats[name];
}
