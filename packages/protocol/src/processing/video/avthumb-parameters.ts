/** The parameters of avthumb, by subject; avthumb.ts says which go together. */

import { countPattern } from '../name-patterns.ts';
import type { ParameterTable } from '../parameters.ts';
import {
  decimal,
  encodedBytes,
  encodedText,
  encodedUrl,
  flag,
  integer,
  oneOf,
  withAliases,
} from '../value-forms.ts';
import { anchor, aspectRatio, bitrate, encodedColor, encodedFont, frameSize, times } from './media-forms.ts';
import { MAX_SECONDS, turn } from './vframe.ts';

const videoCodec = oneOf('libx264', 'libx265', 'libvpx', 'libvpx-vp9', 'libtheora', 'libxvid', 'copy');
const audioCodec = withAliases(oneOf('aac', 'libmp3lame', 'libvorbis', 'libopus', 'flac', 'ac3', 'copy'), {
  libfaac: 'aac',
  libfdk_aac: 'aac',
});

export const videoParameters = {
  vcodec: { value: videoCodec, meaning: 'video codec; must suit the format. copy: unchanged' },
  vb: { value: bitrate(8, 100_000), meaning: 'video rate, never above that of the source; not with crf' },
  maxrate: { value: bitrate(8, 100_000), meaning: 'highest video rate' },
  crf: { value: integer(0, 63), aliases: ['h264Crf'], meaning: 'constant quality, lower is better' },
  r: { value: decimal(0.1, 120), meaning: 'frames per second' },
  gop: { value: integer(1, 600), meaning: 'frames from one key frame to the next' },
  keyFramePosition: { value: times(200), meaning: 'times of forced key frames, in seconds' },
  ref: { value: integer(1, 16), meaning: 'reference frames, H.264 and H.265' },
  h264Profile: { value: oneOf('baseline', 'main', 'high'), meaning: 'H.264 profile' },
  h264Level: {
    value: oneOf(
      '1',
      '1.1',
      '1.2',
      '1.3',
      '2',
      '2.1',
      '2.2',
      '3',
      '3.1',
      '3.2',
      '4',
      '4.1',
      '4.2',
      '5',
      '5.1',
    ),
    meaning: 'H.264 level',
  },
  vn: { value: flag, meaning: '1: no video' },
} as const satisfies ParameterTable;

export const audioParameters = {
  acodec: { value: audioCodec, meaning: 'audio codec; must suit the format. copy: unchanged' },
  ab: { value: bitrate(6, 1536), meaning: 'audio rate, never above that of the source; not with aq' },
  aq: {
    value: integer(0, 500),
    aliases: ['audioQuality'],
    meaning: 'variable rate: mp3 0 (best) to 9, aac 10 to 500 (best)',
  },
  ar: { value: integer(8000, 192_000), meaning: 'samples per second' },
  ac: { value: integer(1, 8), meaning: 'channels' },
  audioProfile: {
    value: oneOf('aac_low', 'aac_he', 'aac_he_v2'),
    meaning: 'AAC profile; only aac_low is possible',
  },
  volume: { value: decimal(0, 10), meaning: 'volume factor' },
  loudnorm: {
    value: flag,
    meaning:
      '1: the loudness of EBU R 128, by one gain for all of it; if its peaks forbid that, they are limited',
  },
  loudnormI: {
    value: decimal(-70, -5),
    meaning: 'with loudnorm: the loudness in LUFS; default -23, streaming services want -14 or -16',
  },
  loudnormTP: { value: decimal(-9, 0), meaning: 'with loudnorm: the highest true peak in dBTP; default -1' },
  an: { value: flag, meaning: '1: no sound' },
  writeXing: { value: flag, meaning: '0: mp3 without its Xing head' },
} as const satisfies ParameterTable;

export const frameParameters = {
  s: { value: frameSize(4096), meaning: 'size of the frame' },
  autoscale: { value: flag, meaning: '1: s is a box; the aspect ratio is kept' },
  aspect: { value: aspectRatio, meaning: 'display aspect ratio' },
  padW: { value: integer(2, 4096), meaning: 'width of a black canvas' },
  padH: { value: integer(2, 4096), meaning: 'height of a black canvas' },
  padVideoX: { value: integer(0, 4095), meaning: 'position of the video on the canvas; default: centred' },
  padVideoY: { value: integer(0, 4095), meaning: 'position of the video on the canvas; default: centred' },
  rotate: { value: turn, meaning: 'degrees clockwise, or auto: as set in the video (default)' },
  rotateinfo: { value: flag, meaning: '1: keep the rotation as metadata; pixels are unchanged' },
  flip: {
    value: withAliases(oneOf('h', 'v'), { hflip: 'h', vflip: 'v' }),
    meaning: 'mirror; h: left and right, v: top and bottom',
  },
  deinterlace: {
    value: oneOf('auto', '1', '0'),
    meaning: 'auto: a video that says it is interlaced is deinterlaced (default); 1: every video; 0: none',
  },
  colorspace: { value: oneOf('bt601', 'bt709', 'bt2020'), meaning: 'convert to this colour matrix' },
  hdr: {
    value: oneOf('map', 'keep'),
    meaning:
      'map: the colours of an HDR video (PQ, HLG) are mapped to BT.709 (default); keep: they stay, in 10 bits, libx265',
  },
} as const satisfies ParameterTable;

export const fileParameters = {
  ss: { value: decimal(0, MAX_SECONDS), meaning: 'where to start, in seconds' },
  t: { value: decimal(0.001, MAX_SECONDS), meaning: 'how long, in seconds' },
  stripmeta: {
    value: flag,
    meaning:
      '1: no metadata and no chapters; 0: all metadata of the source. Default: title, artist, languages, time of creation and chapters, so not the place of recording',
  },
  subtitle: {
    value: encodedUrl,
    meaning: 'a subtitle file (srt, ass or vtt) that is burnt into the video',
  },
  scodec: {
    value: oneOf('mov_text'),
    meaning: 'make the subtitle a separate stream instead; mp4 and mov',
  },
  sn: { value: flag, meaning: '1: no subtitles' },
  'ignore-error': {
    value: flag,
    meaning: '1: a source that ends early or is damaged gives what there is of it; default: it fails',
  },
  compressLevel: { value: integer(0, 12), meaning: 'compression effort of flac, opus and mp3' },
  gifHighColor: { value: flag, meaning: '1: a palette made for this video; gif' },
} as const satisfies ParameterTable;

export const watermarkParameters = {
  wmImage: { value: encodedUrl, meaning: 'an overlay image' },
  wmVideo: { value: encodedUrl, meaning: 'an overlay video, without its sound; not with wmImage' },
  wmGravity: { value: anchor, meaning: 'position of wmImage or wmVideo; default NorthEast' },
  wmOffsetX: { value: integer(-4096, 4096), meaning: 'offset to the right, in pixels' },
  wmOffsetY: { value: integer(-4096, 4096), meaning: 'offset downwards, in pixels' },
  wmScale: { value: decimal(0.001, 1), meaning: 'size of the mark relative to the video' },
  wmScaleType: {
    value: integer(0, 3),
    meaning: 'relative to what: 0 shorter side (default), 1 longer side, 2 width, 3 height',
  },
  wmPos: { value: decimal(0, MAX_SECONDS), meaning: 'second when the mark appears' },
  wmDuration: { value: decimal(0.001, MAX_SECONDS), meaning: 'how many seconds it stays' },
  wmText: { value: encodedText(1024), meaning: 'a line of overlay text' },
  wmGravityText: { value: anchor, meaning: 'position of wmText; default NorthEast' },
  wmFont: { value: encodedFont, meaning: 'font of wmText' },
  wmFontColor: { value: encodedColor, meaning: 'colour of wmText; default black' },
  wmFontSize: { value: integer(20, 20_000), meaning: 'size of wmText in twentieths of a point; default 320' },
} as const satisfies ParameterTable;

export const segmentParameters = {
  segtime: { value: integer(2, 120), meaning: 'seconds of a segment; default 10' },
  segFirstTime: { value: integer(1, 120), meaning: 'seconds of the first segment' },
  segmentType: {
    value: withAliases(oneOf('ts', 'fmp4'), { mpegts: 'ts', mp4: 'fmp4' }),
    meaning: 'MPEG-TS (default) or fragmented MP4',
  },
  pattern: {
    value: countPattern,
    aliases: ['savePattern'],
    meaning: 'keys of the segments, counted from 000000; default `<key of the playlist>/<count>.ts`',
  },
  noDomain: {
    value: flag,
    meaning: 'no effect: the playlist always names its segments by relative URIs',
  },
  hlsKey: { value: encodedBytes(16), meaning: 'AES-128 key' },
  hlsKeyUrl: { value: encodedUrl, meaning: 'where players get the key; needed with hlsKey' },
  hlsKeyType: {
    value: oneOf('0', '1.0'),
    meaning: '0: hlsKey is the key itself; 1.0 (wrapped) is not possible',
  },
  hlsIV: { value: encodedBytes(16), meaning: 'initialisation vector; default: the number of the segment' },
} as const satisfies ParameterTable;
