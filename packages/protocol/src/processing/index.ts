/** Commands of media processing: grammar, plans, and the arithmetic of pictures. */
export type { AvconcatPlan } from './avconcat.ts';
export { type AudioCodec, type AvthumbFormat, avthumbFormat, type VideoCodec } from './avthumb-formats.ts';
export type { AvthumbPlan } from './avthumb-plan.ts';
export { audioCodecOf, videoCodecOf } from './avthumb-rules.ts';
export { commandsByUrl, parseWorkByUrl, type WorkByUrl } from './by-url.ts';
export type { CommandDefinition, Product } from './command.ts';
export type { ConcatPlan } from './concat.ts';
export {
  type Area,
  anchored,
  type Crop,
  cropArea,
  type Size,
  type Thumbnail,
  thumbnailSize,
  viewSize,
} from './geometry.ts';
export {
  canonicalWork,
  type Fop,
  MAX_FOPS,
  MAX_FOPS_BYTES,
  MAX_STAGES,
  parseFops,
  printFop,
  qualifiesForIdle,
} from './grammar.ts';
export type { ImageFormat, Quality, SizeLimit } from './image-forms.ts';
export type { ImageMogr2Plan, ImageOperation } from './image-mogr.ts';
export type { ImageView2Plan } from './image-view.ts';
export type { QhashPlan } from './information.ts';
export type { Anchor, FrameSize } from './media-forms.ts';
export { isSafeName, MAX_ZIP_LIST_BYTES, type MkzipPlan, parseZipList, type ZipEntry } from './mkzip.ts';
export { formatCount, type NamePattern, renderName } from './name-patterns.ts';
export type { Parameter, ParameterTable } from './parameters.ts';
export {
  type CommandName,
  commandDefinitions,
  isMeantAsCommand,
  mayRunIdle,
  type Plan,
  parseCommand,
  printCommand,
  productOf,
  sourcesOf,
} from './plans.ts';
export { isPm3u8, MAX_PM3U8_DEADLINE, type Pm3u8Plan, parsePm3u8, pm3u8, printPm3u8 } from './pm3u8.ts';
export { defaultResultKey, defaultSegmentKey } from './result-key.ts';
export { type SaveAs, type SaveKeyVariable, type SavePatternVariable, saveAsParameters } from './saveas.ts';
export type { VframePlan } from './vframe.ts';
export { sampleInterval, samplesOf, type VsamplePlan } from './vsample.ts';
export type { Mark, TextMark, TiledMark, WatermarkPlan } from './watermark.ts';
