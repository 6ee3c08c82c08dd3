/** Looking into content: see inspector.ts. */
export type { MediaInspection } from './avinfo.ts';
export type { ImageInfo, ImageInspection } from './image-answer.ts';
export {
  type InspectedVariable,
  type Inspector,
  type InspectorOptions,
  openInspector,
  type VariableOff,
} from './inspector.ts';
export type { Exif, ExifValue } from './jailed/exif.ts';
export type { MediaReadLimits } from './materialise.ts';
export type { ContentSource } from './source.ts';
