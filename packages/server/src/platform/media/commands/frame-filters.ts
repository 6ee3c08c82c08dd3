/** Filters that turn a frame of a video into an image: rotated, with square pixels, in the requested size. */

export type Turn = '90' | '180' | '270' | 'auto' | undefined;

/** Goes before an input. Without a rotation of ours the engine follows that of the file. */
export function turnArguments(rotate: Turn): string[] {
  return rotate === undefined || rotate === 'auto' ? [] : ['-noautorotate'];
}

export function turnFilters(rotate: Turn): string[] {
  switch (rotate) {
    case '90':
      return ['transpose=clock'];
    case '180':
      return ['hflip', 'vflip'];
    case '270':
      return ['transpose=cclock'];
    case 'auto':
    case undefined:
      return [];
  }
}

export interface FrameWishes {
  readonly rotate: Turn;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export function frameFilters({ rotate, width, height }: FrameWishes): string {
  const size = width === undefined && height === undefined ? [] : [`scale=${width ?? -1}:${height ?? -1}`];
  return ["scale='max(1,trunc(iw*sar))':ih", 'setsar=1', ...turnFilters(rotate), ...size].join(',');
}
