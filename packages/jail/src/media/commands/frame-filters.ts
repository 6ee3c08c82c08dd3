/** Filters that turn a frame of a video into an image: rotated, with square pixels, in the requested size and in an image's colours. */
import type { VideoFacts } from '../probe.ts';
import { imageColorFilters, nameColors } from './video/colors.ts';

export type Rotation = '90' | '180' | '270' | 'auto' | undefined;

/** The engine has turned the frame as the file says, so only the rest remains. */
export function turnFilters(rotate: Rotation, { rotation }: VideoFacts): string[] {
  if (rotate === undefined || rotate === 'auto') return [];
  switch ((Number(rotate) - rotation + 360) % 360) {
    case 90:
      return ['transpose=clock'];
    case 180:
      return ['hflip', 'vflip'];
    case 270:
      return ['transpose=cclock'];
    default:
      return [];
  }
}

/** One frame for two fields, so that the rate stays. */
export function deinterlaceFilters(which: 'auto' | '0' | '1', { isInterlaced }: VideoFacts): string[] {
  if (which === '1') return ['bwdif=mode=send_frame:deint=all'];
  return which === 'auto' && isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : [];
}

export interface ImageRequest {
  readonly format: 'jpg' | 'png';
  readonly rotate: Rotation;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export function imageFilters({ format, rotate, width, height }: ImageRequest, video: VideoFacts): string {
  const isSized = width !== undefined || height !== undefined;
  return [
    ...nameColors(video),
    ...deinterlaceFilters('auto', video),
    ...(video.pixelAspect === 1 ? [] : ["scale='max(1,trunc(iw*sar))':ih", 'setsar=1']),
    ...turnFilters(rotate, video),
    ...(isSized ? [`scale=${width ?? -1}:${height ?? -1}`] : []),
    ...imageColorFilters(video, format),
    'setsar=1',
  ].join(',');
}
