/** Commands in words: one phrase for each thing that they do, in the order in which they do it. */
import {
  type AvthumbPlan,
  type ImageMogr2Plan,
  type ImageOperation,
  type ImageView2Plan,
  type Plan,
  parseCommand,
  parseFops,
  type SaveAs,
  type Watermark,
} from '@millpond/protocol';
import { currentLanguage } from '../../lib/preferences.ts';
import type { Say } from '../../lib/words.ts';

type Words = Say<'commands'>;

/** Of one command of a pipe; nothing if it can't be read. */
export function explainStage(text: string, say: Words): readonly string[] {
  try {
    return isSaveAs(text) ? explainSaveAs(saveAsOf(text), say) : explainPlan(parseCommand(text), say);
  } catch {
    // The parser's own words are shown where commands are written.
    return [];
  }
}

/** One after the other, as the language lists things. */
export function inOneLine(phrases: readonly string[]): string {
  return phrases.join(currentLanguage() === 'zh-CN' ? '，' : ', ');
}

/** The name with its mode or format, and the rest as it is read; what is encoded is shown decoded. */
export function stageTitle(text: string): { readonly name: string; readonly rest: string } {
  const [name = '', first, ...pairs] = text.split('/');
  if (isSaveAs(text)) {
    try {
      const { entry } = saveAsOf(text) ?? {};
      if (entry !== undefined)
        return { name, rest: entry.key === undefined ? entry.bucket : `${entry.bucket}:${entry.key}` };
    } catch {
      // Shown as it is.
    }
    return { name, rest: first ?? '' };
  }
  if (name === 'imageMogr2') return { name, rest: [first, ...pairs].join('/') };
  const shown: string[] = [];
  for (let at = 0; at < pairs.length; at += 2) shown.push(pairs.slice(at, at + 2).join('/'));
  return { name: first === undefined ? name : `${name}/${first}`, rest: shown.join(', ') };
}

function isSaveAs(text: string): boolean {
  return text === 'saveas' || text.startsWith('saveas/');
}

/** It is read with a command before it, as the grammar asks. */
function saveAsOf(text: string): SaveAs | undefined {
  return parseFops(`avinfo|${text}`)[0]?.saveAs;
}

function explainSaveAs(saveAs: SaveAs | undefined, say: Words): readonly string[] {
  if (saveAs === undefined) return [];
  const { entry, deleteAfterDays } = saveAs;
  return [
    entry.key === undefined
      ? say('says.saveBucket', { bucket: entry.bucket })
      : say('says.saveAs', { entry: `${entry.bucket}:${entry.key}` }),
    ...(deleteAfterDays === undefined ? [] : [say('says.deleteAfter', { count: deleteAfterDays })]),
  ];
}

function explainPlan(plan: Plan, say: Words): readonly string[] {
  switch (plan.command) {
    case 'imageView2':
      return explainView(plan, say);
    case 'imageMogr2':
      return [...plan.operations.map((step) => explainStep(step, say)), ...explainImage(plan, say)];
    case 'watermark':
      return plan.marks.map((mark) => explainMark(mark, say));
    case 'avthumb':
      return explainAvthumb(plan, say);
    case 'vframe':
      return [
        say('says.vframe', { format: plan.format, offset: plan.offset }),
        ...sides(plan.w, plan.h, say),
      ];
    case 'vsample':
      return [
        say('says.vsample', { format: plan.format, ss: plan.ss, t: plan.t }),
        plan.frames === undefined
          ? say('says.every', { count: plan.interval ?? 5 })
          : say('says.frames', { count: plan.frames }),
      ];
    case 'avconcat':
      return [say(`says.avconcat${plan.mode}`, { count: plan.urls.length, format: plan.format })];
    case 'concat':
      return [say('says.concat', { count: plan.urls.length })];
    case 'mkzip':
      return [plan.form === '4' ? say('says.mkzip4') : say('says.mkzip2', { count: plan.entries.length })];
    case 'qhash':
      return [say('says.qhash', { algorithm: plan.algorithm })];
    case 'avinfo':
    case 'imageInfo':
    case 'imageAve':
    case 'exif':
      return [say(`says.${plan.command}`)];
  }
}

function explainView({ mode, w, h, ...rest }: ImageView2Plan, say: Words): readonly string[] {
  const [width, height] = [w ?? say('says.any'), h ?? say('says.any')];
  return [say(`says.view${mode}`, { width, height }), ...explainImage(rest, say)];
}

function explainStep(step: ImageOperation, say: Words): string {
  switch (step.operation) {
    case 'auto-orient':
      return say('says.orient');
    case 'thumbnail':
      return explainThumbnail(step.thumbnail, say);
    case 'crop':
      return say('says.crop', {
        width: step.crop.width ?? say('says.any'),
        height: step.crop.height ?? say('says.any'),
        gravity: step.gravity,
      });
    case 'rotate':
      return say('says.rotate', { degrees: step.degrees });
    case 'blur':
      return say('says.blur', { sigma: step.blur.sigma });
    case 'sharpen':
      return say('says.sharpen');
  }
}

type Thumbnail = Extract<ImageOperation, { operation: 'thumbnail' }>['thumbnail'];

function explainThumbnail(thumbnail: Thumbnail, say: Words): string {
  switch (thumbnail.kind) {
    case 'percent':
      return say(`says.percent.${thumbnail.of}`, { percent: thumbnail.percent });
    case 'width':
    case 'height':
      return say(`says.thumb.${thumbnail.kind}`, { pixels: thumbnail.pixels });
    case 'area':
      return say('says.thumb.area', { pixels: thumbnail.pixels });
    case 'box':
      return say(`says.box.${thumbnail.fit}`, { width: thumbnail.width, height: thumbnail.height });
  }
}

function explainImage(
  {
    format,
    quality,
    interlace,
    colors,
    ...rest
  }: Pick<ImageView2Plan, 'format' | 'quality' | 'interlace' | 'colors'> &
    Partial<Pick<ImageMogr2Plan, 'strip' | 'sizeLimit'>>,
  say: Words,
): readonly string[] {
  return [
    ...(rest.strip ? [say('says.strip')] : []),
    ...(format === undefined ? [] : [say('says.format', { format })]),
    ...(quality === undefined ? [] : [say('says.quality', { quality: quality.value })]),
    ...(interlace ? [say('says.interlace')] : []),
    ...(colors === undefined ? [] : [say('says.colors', { count: colors })]),
    ...(rest.sizeLimit?.bytes === undefined ? [] : [say('says.sizeLimit', { bytes: rest.sizeLimit.bytes })]),
  ];
}

function explainMark(mark: Watermark, say: Words): string {
  const where = mark.gravity ?? 'SouthEast';
  switch (mark.kind) {
    case 'image':
      return say('says.markImage', { url: mark.image, where });
    case 'text':
      return say('says.markText', { text: mark.text, where });
    case 'tiled':
      return say('says.markTiled', { text: mark.text });
  }
}

function explainAvthumb(plan: AvthumbPlan, say: Words): readonly string[] {
  const { s, vb, ab, ss, t, vn, an, r, segtime, wmImage, wmVideo, wmText, format } = plan;
  const size = s === undefined ? undefined : `${s.width ?? '…'}×${s.height ?? '…'}`;
  return [
    format === 'm3u8' ? say('says.segments', { seconds: segtime ?? 10 }) : say('says.transcode', { format }),
    ...(ss === undefined ? [] : [say('says.from', { seconds: ss })]),
    ...(t === undefined ? [] : [say('says.lasting', { seconds: t })]),
    ...(size === undefined ? [] : [say('says.size', { size })]),
    ...(vb === undefined ? [] : [say('says.videoRate', { rate: vb / 1000 })]),
    ...(r === undefined ? [] : [say('says.fps', { rate: r })]),
    ...(ab === undefined ? [] : [say('says.audioRate', { rate: ab / 1000 })]),
    ...(vn ? [say('says.noVideo')] : []),
    ...(an ? [say('says.noSound')] : []),
    ...(wmImage === undefined && wmVideo === undefined && wmText === undefined ? [] : [say('says.marked')]),
  ];
}

function sides(w: number | undefined, h: number | undefined, say: Words): readonly string[] {
  return w === undefined && h === undefined ? [] : [say('says.size', { size: `${w ?? '…'}×${h ?? '…'}` })];
}
