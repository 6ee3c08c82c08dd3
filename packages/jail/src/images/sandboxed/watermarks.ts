/** Watermarks: images and texts, laid over an image one after the other. */
import type { Size, TextWatermark, TiledWatermark, Watermark } from '@millpond/protocol';
import { anchored, rotatedSize } from '@millpond/protocol/geometry';
import sharp from 'sharp';
import { type Canvas, canvasOfRaster, type Raster, rasterOf } from './canvas.ts';
import { ImageRejectedError } from './refusal.ts';
import type { TransformLimits } from './requests.ts';

const DEFAULT_DISTANCE = 10;
const DEFAULT_FONT = 'Sans';
const DEFAULT_FONT_TWIPS = 500;
const DEFAULT_GAP = 40;
const TWIPS_PER_POINT = 20;
const MAX_TEXT_PIXELS = 16_000;
/** In points, of one point of the font. */
const LINE_HEIGHT = 1.5;

export async function applyWatermarks(
  canvas: Canvas,
  marks: readonly Watermark[],
  images: readonly Uint8Array[],
  limits: TransformLimits,
): Promise<Canvas> {
  const waiting = [...images];
  let base = await rasterOf(canvas);
  for (const each of marks) {
    const overlay =
      each.kind === 'image'
        ? await imageMark(waiting.shift(), each, base, limits)
        : await textMark(each, limits);
    base = await layOver(base, await faded(overlay, each.dissolve ?? 100), each, limits.seconds);
  }
  return canvasOfRaster(base, limits.seconds);
}

async function imageMark(
  image: Uint8Array | undefined,
  { ws, wst = 0 }: Extract<Watermark, { kind: 'image' }>,
  base: Size,
  limits: TransformLimits,
): Promise<Raster> {
  if (image === undefined) throw new ImageRejectedError('the image of a watermark is missing');
  const open = sharp(image, { limitInputPixels: limits.maxPixels }).autoOrient().ensureAlpha();
  const own = (await open.metadata()).autoOrient;
  if (ws === undefined) checkMark(own, limits);
  else {
    const sides = [
      Math.min(base.width, base.height),
      Math.max(base.width, base.height),
      base.width,
      base.height,
    ];
    const side = Math.max(1, Math.round((sides[wst] ?? base.width) * ws));
    const factors = [side / own.width, side / own.height] as const;
    const factor =
      wst === 3
        ? factors[1]
        : wst === 2
          ? factors[0]
          : wst === 0
            ? Math.max(...factors)
            : Math.min(...factors);
    checkMark({ width: Math.round(own.width * factor), height: Math.round(own.height * factor) }, limits);
    // The share refers to the mark's own side of the same kind; the other side follows in proportion.
    if (wst === 3) open.resize({ height: side });
    else if (wst === 2) open.resize({ width: side });
    else open.resize({ width: side, height: side, fit: wst === 0 ? 'outside' : 'inside' });
  }
  return rasterOf({ ...base, pipeline: open, step: 'opened', fresh: false, seconds: limits.seconds });
}

async function textMark(each: TextWatermark | TiledWatermark, limits: TransformLimits): Promise<Raster> {
  const points = (each.fontsize ?? DEFAULT_FONT_TWIPS) / TWIPS_PER_POINT;
  if (points * each.text.length > MAX_TEXT_PIXELS)
    throw new ImageRejectedError('the text of a watermark is too large');
  const written = { width: each.text.length * points, height: points * LINE_HEIGHT };
  const { rotate = 0, uw = DEFAULT_GAP, uh = DEFAULT_GAP } = each.kind === 'tiled' ? each : { uw: 0, uh: 0 };
  const turned = rotatedSize(rotate, written);
  checkMark({ width: turned.width + uw, height: turned.height + uh }, limits);
  const text = `<span foreground="#${each.fill ?? 'ffffff'}">${escapeMarkup(each.text)}</span>`;
  const font = `${each.font ?? DEFAULT_FONT} ${points}`;
  const open = sharp({ text: { text, font, rgba: true, dpi: 72, wrap: 'none' } }).timeout({
    seconds: limits.seconds,
  });
  if (each.kind === 'tiled' && each.rotate) open.rotate(each.rotate, { background: '#00000000' });
  const raster = await rasterOf({
    width: 0,
    height: 0,
    step: 'opened',
    fresh: false,
    seconds: limits.seconds,
    pipeline: open.ensureAlpha(),
  });
  return each.kind === 'tiled' ? withGap(raster, each.uw ?? DEFAULT_GAP, each.uh ?? DEFAULT_GAP) : raster;
}

/** Before it is made: it is held whole, however little of it will be seen. */
function checkMark({ width, height }: Size, { outputPixels }: TransformLimits): void {
  if (width * height > outputPixels)
    throw new ImageRejectedError(
      `a mark would be ${Math.round(width)}x${Math.round(height)}, which is too large`,
    );
}

function escapeMarkup(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? '');
}

async function withGap(raster: Raster, right: number, bottom: number): Promise<Raster> {
  const { pipeline, ...canvas } = canvasOfRaster(raster, 10);
  return rasterOf({ ...canvas, pipeline: pipeline.extend({ right, bottom, background: '#00000000' }) });
}

async function faded(raster: Raster, percent: number): Promise<Raster> {
  if (percent === 100 || raster.channels !== 4) return raster;
  const data = Buffer.from(raster.data);
  for (let at = 3; at < data.length; at += 4) data[at] = Math.round(((data[at] ?? 0) * percent) / 100);
  return { ...raster, data };
}

async function layOver(base: Raster, overlay: Raster, each: Watermark, seconds: number): Promise<Raster> {
  const tile = each.kind === 'tiled' || (each.kind === 'image' && each.tile === true);
  const at = tile ? { left: 0, top: 0 } : placeOf(base, overlay, each);
  // sharp overlays nothing larger than the image: invisible parts are cut off first.
  const left = Math.max(0, -at.left);
  const top = Math.max(0, -at.top);
  const width = Math.min(overlay.width - left, base.width - Math.max(0, at.left));
  const height = Math.min(overlay.height - top, base.height - Math.max(0, at.top));
  if (width <= 0 || height <= 0) return base;
  const seen = await rasterOf({
    ...canvasOfRaster(overlay, seconds),
    pipeline: canvasOfRaster(overlay, seconds).pipeline.extract({ left, top, width, height }),
  });
  const { channels } = seen;
  const layer = {
    input: seen.data,
    raw: { width, height, channels },
    ...(tile ? { tile, gravity: 'northwest' } : { left: Math.max(0, at.left), top: Math.max(0, at.top) }),
  };
  const canvas = canvasOfRaster(base, seconds);
  return rasterOf({ ...canvas, pipeline: canvas.pipeline.composite([layer]) });
}

/** Distances are measured inwards from the anchored edge. */
function placeOf(base: Size, overlay: Size, each: Watermark): { left: number; top: number } {
  const gravity = each.gravity ?? 'SouthEast';
  const at = anchored(gravity, overlay, base);
  const dx = each.dx ?? DEFAULT_DISTANCE;
  const dy = each.dy ?? DEFAULT_DISTANCE;
  const across = gravity.endsWith('East') ? -dx : gravity.endsWith('West') ? dx : (each.dx ?? 0);
  const down = gravity.startsWith('South') ? -dy : gravity.startsWith('North') ? dy : (each.dy ?? 0);
  return { left: at.left + across, top: at.top + down };
}
