/** Which parameters of avthumb go together. Checked before anything is queued, so that nobody waits for a refusal. */

import { invalidCommand, unsupportedCommand } from '../parameters.ts';
import { avthumbFormat } from './avthumb-formats.ts';
import type { AvthumbPlan } from './avthumb-plan.ts';

export function checkAvthumb(plan: AvthumbPlan): void {
  checkCodecs(plan);
  checkRates(plan);
  checkFrame(plan);
  checkFile(plan);
  checkMarks(plan);
  checkSegments(plan);
}

/** The codec of the video; undefined if the result has no video. */
export function videoCodecOf(plan: AvthumbPlan): string | undefined {
  const { video } = avthumbFormat(plan.format);
  return video === null || plan.vn ? undefined : (plan.vcodec ?? video[0]);
}

export function audioCodecOf(plan: AvthumbPlan): string | undefined {
  const { audio } = avthumbFormat(plan.format);
  return audio === null || plan.an ? undefined : (plan.acodec ?? audio[0]);
}

function checkCodecs(plan: AvthumbPlan): void {
  const { video, audio } = avthumbFormat(plan.format);
  const { vcodec, acodec, audioProfile } = plan;
  const allowed = (codec: string, list: readonly string[] | null): boolean =>
    codec === 'copy' ? list !== null : (list?.includes(codec) ?? false);
  if (vcodec !== undefined && !allowed(vcodec, video))
    throw invalidCommand(`avthumb: ${plan.format} cannot hold video of codec ${vcodec}`);
  if (acodec !== undefined && !allowed(acodec, audio))
    throw invalidCommand(`avthumb: ${plan.format} cannot hold sound of codec ${acodec}`);
  if (videoCodecOf(plan) === undefined && audioCodecOf(plan) === undefined)
    throw invalidCommand('avthumb: neither video nor sound would be left');
  if (audioProfile !== undefined && audioProfile !== 'aac_low')
    throw unsupportedCommand(`avthumb: this ffmpeg has no encoder for ${audioProfile} (libfdk_aac)`);
  if (audioProfile !== undefined && audioCodecOf(plan) !== 'aac')
    throw invalidCommand('avthumb: audioProfile is for the codec aac');
  if (vcodec === 'copy') forbid(plan, 'vcodec/copy', [...FRAME, ...ENCODER]);
  if (acodec === 'copy') forbid(plan, 'acodec/copy', ['ab', 'aq', 'ar', 'ac', 'volume', 'loudnorm']);
}

const FRAME = [
  's',
  'autoscale',
  'padW',
  'padH',
  'rotate',
  'rotateinfo',
  'flip',
  'deinterlace',
  'colorspace',
  'hdr',
  'wmImage',
  'wmVideo',
  'wmText',
  'gifHighColor',
] as const;
const ENCODER = [
  'vb',
  'maxrate',
  'crf',
  'r',
  'gop',
  'keyFramePosition',
  'ref',
  'h264Profile',
  'h264Level',
] as const;

function forbid(plan: AvthumbPlan, with_: string, names: readonly (keyof AvthumbPlan)[]): void {
  for (const name of names)
    if (plan[name] !== undefined) throw invalidCommand(`avthumb: ${name} cannot be used with ${with_}`);
}

const CRF_CODECS = new Set(['libx264', 'libx265', 'libvpx', 'libvpx-vp9']);

const SAMPLE_RATES: Readonly<Record<string, readonly number[]>> = {
  libmp3lame: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  aac: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000],
  libopus: [8000, 12_000, 16_000, 24_000, 48_000],
  ac3: [32_000, 44_100, 48_000],
};

function checkSound(plan: AvthumbPlan): void {
  const codec = audioCodecOf(plan);
  if (codec === undefined)
    forbid(plan, 'a result without sound', ['ab', 'aq', 'ar', 'ac', 'volume', 'loudnorm', 'compressLevel']);
  const rates = plan.format === 'flv' || plan.format === 'flash' ? FLV_RATES : SAMPLE_RATES[codec ?? ''];
  if (plan.ar !== undefined && rates !== undefined && !rates.includes(plan.ar))
    throw invalidCommand(`avthumb: ar of ${codec} must be one of ${rates.join(', ')}`);
  if (plan.ac !== undefined && plan.ac > 2 && codec === 'libmp3lame')
    throw invalidCommand('avthumb: mp3 has at most 2 channels');
  if (!plan.loudnorm) forbid(plan, 'sound that is not normalised (loudnorm/1)', ['loudnormI', 'loudnormTP']);
}

const FLV_RATES: readonly number[] = [11_025, 22_050, 44_100];

function checkRates(plan: AvthumbPlan): void {
  checkSound(plan);
  const video = videoCodecOf(plan);
  const audio = audioCodecOf(plan);
  if (plan.crf !== undefined && !CRF_CODECS.has(video ?? ''))
    throw invalidCommand('avthumb: crf is for H.264, H.265, VP8 and VP9');
  if (plan.crf !== undefined && plan.vb !== undefined)
    throw invalidCommand('avthumb: crf and vb cannot be combined');
  if (plan.crf !== undefined && plan.crf > 51 && (video === 'libx264' || video === 'libx265'))
    throw invalidCommand('avthumb: crf must be at most 51 for H.264 and H.265');
  if (plan.ab !== undefined && plan.aq !== undefined)
    throw invalidCommand('avthumb: ab and aq cannot be combined');
  if (plan.aq !== undefined) {
    const range = audio === 'libmp3lame' ? [0, 9] : audio === 'aac' ? [10, 500] : undefined;
    if (range === undefined) throw invalidCommand('avthumb: aq is for mp3 and aac');
    const [low = 0, high = 0] = range;
    if (plan.aq < low || plan.aq > high)
      throw invalidCommand(`avthumb: aq of ${audio} must be ${low} to ${high}`);
  }
  const h264 = video === 'libx264';
  if ((plan.h264Profile !== undefined || plan.h264Level !== undefined) && !h264)
    throw invalidCommand('avthumb: h264Profile and h264Level are for libx264');
  if (plan.ref !== undefined && !h264 && video !== 'libx265')
    throw invalidCommand('avthumb: ref is for H.264 and H.265');
  if (plan.writeXing !== undefined && plan.format !== 'mp3')
    throw invalidCommand('avthumb: writeXing is for mp3');
  if (plan.compressLevel !== undefined) {
    const most = { flac: 12, libopus: 10, libmp3lame: 9 }[audio ?? ''];
    if (most === undefined) throw invalidCommand('avthumb: compressLevel is for flac, opus and mp3');
    if (plan.compressLevel > most)
      throw invalidCommand(`avthumb: compressLevel of ${audio} must be 0 to ${most}`);
  }
}

function checkFrame(plan: AvthumbPlan): void {
  if (videoCodecOf(plan) === undefined)
    forbid(plan, 'a result without video', [...FRAME, ...ENCODER, 'aspect', 'subtitle']);
  if (plan.autoscale !== undefined && plan.s === undefined)
    throw invalidCommand('avthumb: autoscale needs s');
  if ((plan.padW === undefined) !== (plan.padH === undefined))
    throw invalidCommand('avthumb: padW and padH must be given together');
  if (plan.padW === undefined && (plan.padVideoX ?? plan.padVideoY) !== undefined)
    throw invalidCommand('avthumb: padVideoX and padVideoY need padW and padH');
  if (plan.rotateinfo && plan.rotate !== undefined)
    throw invalidCommand('avthumb: rotate and rotateinfo cannot be combined');
  if (plan.hdr === 'keep') checkHdr(plan);
}

/** Marks and letters are made for BT.709: on HDR they would be of other colours, and glare. */
function checkHdr(plan: AvthumbPlan): void {
  if (videoCodecOf(plan) !== 'libx265') throw invalidCommand('avthumb: hdr/keep is for libx265');
  forbid(plan, 'hdr/keep', ['colorspace', 'wmImage', 'wmVideo', 'wmText']);
  if (plan.subtitle !== undefined && plan.scodec === undefined)
    throw invalidCommand('avthumb: a subtitle cannot be burnt in with hdr/keep');
}

function checkFile(plan: AvthumbPlan): void {
  if (plan.scodec !== undefined && plan.subtitle === undefined)
    throw invalidCommand('avthumb: scodec needs subtitle');
  if (plan.scodec !== undefined && plan.format !== 'mp4' && plan.format !== 'mov')
    throw invalidCommand('avthumb: scodec/mov_text is for mp4 and mov');
  if (plan.subtitle !== undefined && plan.sn)
    throw invalidCommand('avthumb: subtitle and sn cannot be combined');
  if (plan.subtitle !== undefined && plan.scodec === undefined && plan.vcodec === 'copy')
    throw invalidCommand('avthumb: a subtitle cannot be burnt into video that is copied');
  if (plan.gifHighColor !== undefined && plan.format !== 'gif')
    throw invalidCommand('avthumb: gifHighColor is for gif');
}

function checkMarks(plan: AvthumbPlan): void {
  const { wmImage, wmVideo, wmText } = plan;
  if (wmImage !== undefined && wmVideo !== undefined)
    throw invalidCommand('avthumb: wmImage and wmVideo cannot be combined');
  const overlay = wmImage ?? wmVideo;
  if (overlay === undefined) forbid(plan, 'no wmImage or wmVideo', ['wmGravity', 'wmScale', 'wmScaleType']);
  if (overlay === undefined && wmText === undefined)
    forbid(plan, 'no watermark', ['wmOffsetX', 'wmOffsetY', 'wmPos', 'wmDuration']);
  if (wmText === undefined)
    forbid(plan, 'no wmText', ['wmGravityText', 'wmFont', 'wmFontColor', 'wmFontSize']);
  if (plan.wmScaleType !== undefined && plan.wmScale === undefined)
    throw invalidCommand('avthumb: wmScaleType needs wmScale');
}

function checkSegments(plan: AvthumbPlan): void {
  const { hlsKey, hlsKeyUrl, hlsKeyType, hlsIV } = plan;
  if (hlsKeyType !== undefined && hlsKeyType !== '0')
    throw unsupportedCommand(`avthumb: hlsKeyType/${hlsKeyType} is not possible here; give the key itself`);
  if ((hlsKey === undefined) !== (hlsKeyUrl === undefined))
    throw invalidCommand('avthumb: hlsKey and hlsKeyUrl must be given together');
  if (hlsIV !== undefined && hlsKey === undefined) throw invalidCommand('avthumb: hlsIV needs hlsKey');
  if (hlsKey !== undefined && plan.segmentType === 'fmp4')
    throw invalidCommand('avthumb: hlsKey is for MPEG-TS segments');
  if (plan.segFirstTime !== undefined && (hlsKey !== undefined || plan.segmentType === 'fmp4'))
    throw invalidCommand('avthumb: segFirstTime is for MPEG-TS segments without a key');
}
