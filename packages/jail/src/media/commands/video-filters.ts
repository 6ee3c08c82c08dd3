/** The video filters of avthumb, in ffmpeg's filter language; only numbers and words of ours get in. */
import type { Anchor, AvthumbPlan } from '@millpond/protocol';
import type { VideoFacts } from '../probe.ts';
import { deinterlaceFilters, turnFilters } from './frame-filters.ts';
import { markColorFilters, nameColors, pixelFormatOf, resultColorFilters } from './video/colors.ts';
import { rateFilters } from './video/frame-rate.ts';
import { evenBelow, type FrameSize, resultSize } from './video/frame-size.ts';

/** For the frame itself, without overlays. */
export function videoFilters(plan: AvthumbPlan, video: VideoFacts): string[] {
  return [
    ...nameColors(video),
    ...deinterlaceFilters(plan.deinterlace ?? 'auto', video),
    ...rateFilters(plan, video),
    ...(plan.rotateinfo ? [] : turnFilters(plan.rotate, video)),
    ...(plan.flip === undefined ? [] : [plan.flip === 'h' ? 'hflip' : 'vflip']),
    ...scaleFilters(resultSize(plan, video)),
    ...resultColorFilters(plan, video),
    ...padFilters(plan),
  ];
}

/** Video encoders want even sides; a gif takes any. Cutting off a line keeps the others sharp. */
export function lastFilters(plan: AvthumbPlan, video: VideoFacts): string[] {
  const format = pixelFormatOf(plan, video);
  return format === undefined ? [] : ["crop='trunc(iw/2)*2':'trunc(ih/2)*2':0:0", `format=${format}`];
}

function scaleFilters(size: FrameSize | undefined): string[] {
  return size === undefined ? [] : [`scale=${size.width}:${size.height}`, 'setsar=1'];
}

function padFilters({ padW, padH, padVideoX, padVideoY }: AvthumbPlan): string[] {
  if (padW === undefined || padH === undefined) return [];
  const [width, height] = [evenBelow(padW), evenBelow(padH)];
  // A video larger than the canvas is scaled to fit, because a canvas cannot be smaller than what lies on it.
  const fit = `scale='min(iw,${width})':'min(ih,${height})':force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const x = padVideoX === undefined ? '(ow-iw)/2' : `min(${padVideoX},ow-iw)`;
  const y = padVideoY === undefined ? '(oh-ih)/2' : `min(${padVideoY},oh-ih)`;
  return [fit, `pad=${width}:${height}:'${x}':'${y}':black`, 'setsar=1'];
}

/** Where something of size w by h goes on a frame of size W by H, in the filter's terms. */
function placed(
  anchor: Anchor,
  names: { readonly W: string; readonly H: string; readonly w: string; readonly h: string },
  dx: number,
  dy: number,
): { x: string; y: string } {
  const { W, H, w, h } = names;
  const x = anchor.endsWith('West') ? '0' : anchor.endsWith('East') ? `${W}-${w}` : `(${W}-${w})/2`;
  const y = anchor.startsWith('North') ? '0' : anchor.startsWith('South') ? `${H}-${h}` : `(${H}-${h})/2`;
  return { x: `${x}+(${dx})`, y: `${y}+(${dy})` };
}

function during({ wmPos, wmDuration }: AvthumbPlan): string {
  if (wmPos === undefined && wmDuration === undefined) return '';
  const from = wmPos ?? 0;
  const to = wmDuration === undefined ? 1e6 : from + wmDuration;
  return `:enable='between(t,${from},${to})'`;
}

const DEFAULT_FONT_TWIPS = 320;

/** The text is in a separate file, and nothing in it is expanded. */
export function textFilter(plan: AvthumbPlan, file: string): string {
  const { x, y } = placed(
    plan.wmGravityText ?? 'NorthEast',
    { W: 'w', H: 'h', w: 'tw', h: 'th' },
    plan.wmImage === undefined && plan.wmVideo === undefined ? (plan.wmOffsetX ?? 0) : 0,
    plan.wmImage === undefined && plan.wmVideo === undefined ? (plan.wmOffsetY ?? 0) : 0,
  );
  const size = Math.max(1, Math.round((plan.wmFontSize ?? DEFAULT_FONT_TWIPS) / 20));
  return [
    `drawtext=textfile=${file}:expansion=none:font='${plan.wmFont ?? 'Sans'}'`,
    `fontcolor=0x${plan.wmFontColor ?? '000000'}:fontsize=${size}:x='${x}':y='${y}'${during(plan)}`,
  ].join(':');
}

/** From `[base]` and the mark's input to the final video. */
export function overlayFilters(plan: AvthumbPlan, video: VideoFacts, input: number): string[] {
  const { x, y } = placed(
    plan.wmGravity ?? 'NorthEast',
    { W: 'W', H: 'H', w: 'w', h: 'h' },
    plan.wmOffsetX ?? 0,
    plan.wmOffsetY ?? 0,
  );
  const end = plan.wmVideo === undefined ? 'repeat' : 'pass';
  const overlay = `overlay=x='${x}':y='${y}':eof_action=${end}${during(plan)}`;
  const own = `[${input}:v]${markColorFilters(plan, video).join(',')}[own]`;
  if (plan.wmScale === undefined) return [own, `[base][own]${overlay}`];
  const factor = {
    0: `${plan.wmScale}*min(iw,ih)/min(main_w,main_h)`,
    1: `${plan.wmScale}*max(iw,ih)/max(main_w,main_h)`,
    2: `${plan.wmScale}*iw/main_w`,
    3: `${plan.wmScale}*ih/main_h`,
  }[plan.wmScaleType ?? 0];
  const sides = ['main_w', 'main_h'].map((side) => `'max(1,round(${side}*${factor}))'`);
  return [own, `[own][base]scale2ref=w=${sides[0]}:h=${sides[1]}[mark][under]`, `[under][mark]${overlay}`];
}
