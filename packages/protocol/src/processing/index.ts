/** Commands of media processing: grammar, plans, and the arithmetic of images. */

export { commandsByUrl, parseUrlCommands, type UrlCommands } from './by-url.ts';
export type { AnyForm, CommandDefinition, OutputKind } from './command.ts';
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
} from './command-registry.ts';
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
export type { ImageFormat, Quality, SizeLimit } from './images/image-forms.ts';
export type { ImageMogr2Plan, ImageOperation } from './images/image-mogr.ts';
export type { ImageView2Plan } from './images/image-view.ts';
export type { QhashPlan } from './information.ts';
export { isSafeName, MAX_ZIP_LIST_BYTES, type MkzipPlan, parseZipList, type ZipEntry } from './mkzip.ts';
export { formatCount, type NamePattern, renderName } from './name-patterns.ts';
export { nameIn, type Parameter, type ParameterTable } from './parameters.ts';
export { defaultResultKey, defaultSegmentKey } from './result-key.ts';
export { type SaveAs, type SaveKeyVariable, type SavePatternVariable, saveAsParameters } from './saveas.ts';
export type { ValueShape, ValueSyntax } from './value-forms.ts';
export type { AvconcatPlan } from './video/avconcat.ts';
export {
  type AudioCodec,
  type AvthumbFormat,
  avthumbFormat,
  type VideoCodec,
} from './video/avthumb-formats.ts';
export type { AvthumbPlan } from './video/avthumb-plan.ts';
export { audioCodecOf, videoCodecOf } from './video/avthumb-rules.ts';
export type { ConcatPlan } from './video/concat.ts';
export type { Anchor, FrameSize } from './video/media-forms.ts';
export { isPm3u8, MAX_PM3U8_DEADLINE, type Pm3u8Plan, parsePm3u8, pm3u8, printPm3u8 } from './video/pm3u8.ts';
export type { VframePlan } from './video/vframe.ts';
export { sampleInterval, samplesOf, type VsamplePlan } from './video/vsample.ts';
export type { TextWatermark, TiledWatermark, Watermark, WatermarkPlan } from './watermark.ts';
