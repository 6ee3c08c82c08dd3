/** The video filters of avthumb, in ffmpeg's filter language; only numbers and words of ours get in. */
import type { Anchor, AvthumbPlan } from '@millpond/protocol';
import type { VideoFacts } from '../probe.ts';
import { turnFilters } from './frame-filters.ts';

const even = (pixels: number): number => Math.max(2, pixels - (pixels % 2));

/** For the frame itself, without overlays. */
export function frameFilters(plan: AvthumbPlan, video: VideoFacts): string[] {
  return [
    ...(plan.deinterlace ? ['yadif'] : []),
    // As an encoder option it would add frames at the end.
    ...(plan.r === undefined ? [] : [`fps=${plan.r}`]),
    ...turnFilters(plan.rotate),
    ...(plan.flip === undefined ? [] : [plan.flip === 'h' ? 'hflip' : 'vflip']),
    ...scaleFilters(plan, video),
    ...padFilters(plan),
    ...colorFilters(plan),
  ];
}

/** Video encoders want even sides; a gif takes any. */
export function lastFilters(plan: AvthumbPlan): string[] {
  return plan.format === 'gif' ? [] : ["scale='trunc(iw/2)*2':'trunc(ih/2)*2'", 'format=yuv420p'];
}

function scaleFilters(plan: AvthumbPlan, video: VideoFacts): string[] {
  const { s, autoscale } = plan;
  if (s === undefined) return [];
  const shown = shownSize(plan, video);
  const within = shown.width <= (s.width ?? shown.width) && shown.height <= (s.height ?? shown.height);
  const beyond =
    shown.width >= (s.width ?? Number.POSITIVE_INFINITY) ||
    shown.height >= (s.height ?? Number.POSITIVE_INFINITY);
  if ((s.only === 'smaller' && within) || (s.only === 'larger' && beyond)) return [];
  if (s.width === undefined || s.height === undefined)
    return [
      `scale=${s.width === undefined ? -2 : even(s.width)}:${s.height === undefined ? -2 : even(s.height)}`,
      'setsar=1',
    ];
  const box = `scale=${even(s.width)}:${even(s.height)}`;
  const keep = autoscale ? ':force_original_aspect_ratio=decrease:force_divisible_by=2' : '';
  return [`${box}${keep}`, 'setsar=1'];
}

/** The size of the frame after rotation. */
function shownSize(
  { rotate, rotateinfo }: AvthumbPlan,
  video: VideoFacts,
): { width: number; height: number } {
  const byFile = rotate === undefined || rotate === 'auto';
  const degrees = rotateinfo ? 0 : byFile ? video.rotation : Number(rotate);
  const { width, height } = video;
  return degrees % 180 === 0 ? { width, height } : { width: height, height: width };
}

function padFilters({ padW, padH, padVideoX, padVideoY }: AvthumbPlan): string[] {
  if (padW === undefined || padH === undefined) return [];
  const [width, height] = [even(padW), even(padH)];
  // A video larger than the canvas is scaled to fit, because a canvas cannot be smaller than what lies on it.
  const fit = `scale='min(iw,${width})':'min(ih,${height})':force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const x = padVideoX === undefined ? '(ow-iw)/2' : `min(${padVideoX},ow-iw)`;
  const y = padVideoY === undefined ? '(oh-ih)/2' : `min(${padVideoY},oh-ih)`;
  return [fit, `pad=${width}:${height}:'${x}':'${y}':black`, 'setsar=1'];
}

interface ColorNames {
  /** Of the scaler, and of the tag, which distinguishes two for BT.2020. */
  readonly matrix: string;
  readonly space: string;
  readonly primaries: string;
  readonly transfer: string;
}

const allAs = (name: string): ColorNames => ({
  matrix: name,
  space: name,
  primaries: name,
  transfer: name,
});
const colorNames: Readonly<Record<NonNullable<AvthumbPlan['colorspace']>, ColorNames>> = {
  bt601: allAs('smpte170m'),
  bt709: allAs('bt709'),
  bt2020: { matrix: 'bt2020', space: 'bt2020nc', primaries: 'bt2020', transfer: 'bt2020-10' },
};

/** ffmpeg 7 takes the tags of the file from the frames, ffmpeg 5 from the arguments. */
function colorFilters({ colorspace }: AvthumbPlan): string[] {
  if (colorspace === undefined) return [];
  const { matrix, space, primaries, transfer } = colorNames[colorspace];
  return [
    `scale=out_color_matrix=${matrix}`,
    `setparams=colorspace=${space}:color_primaries=${primaries}:color_trc=${transfer}`,
  ];
}

/** Tags in the file that state what colorFilters did. */
export function colorArguments({ colorspace }: AvthumbPlan): string[] {
  if (colorspace === undefined) return [];
  const { space, primaries, transfer } = colorNames[colorspace];
  return ['-colorspace', space, '-color_primaries', primaries, '-color_trc', transfer];
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
export function overlayFilters(plan: AvthumbPlan, input: number): string[] {
  const { x, y } = placed(
    plan.wmGravity ?? 'NorthEast',
    { W: 'W', H: 'H', w: 'w', h: 'h' },
    plan.wmOffsetX ?? 0,
    plan.wmOffsetY ?? 0,
  );
  const end = plan.wmVideo === undefined ? 'repeat' : 'pass';
  const overlay = `overlay=x='${x}':y='${y}':eof_action=${end}${during(plan)}`;
  if (plan.wmScale === undefined) return [`[base][${input}:v]${overlay}`];
  const factor = {
    0: `${plan.wmScale}*min(iw,ih)/min(main_w,main_h)`,
    1: `${plan.wmScale}*max(iw,ih)/max(main_w,main_h)`,
    2: `${plan.wmScale}*iw/main_w`,
    3: `${plan.wmScale}*ih/main_h`,
  }[plan.wmScaleType ?? 0];
  const sides = ['main_w', 'main_h'].map((side) => `'max(1,round(${side}*${factor}))'`);
  return [`[${input}:v][base]scale2ref=w=${sides[0]}:h=${sides[1]}[mark][under]`, `[under][mark]${overlay}`];
}
