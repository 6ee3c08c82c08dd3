/** Inspecting content: see inspector.ts. */

export type { ContentSource } from '@millpond/blobs';
export type { Exif, ExifValue } from '../images/index.ts';
export type { MediaInspection } from './avinfo.ts';
export type { ImageInfo, ImageInspection } from './image-answer.ts';
export {
  type InspectedVariable,
  type Inspector,
  type InspectorOptions,
  inspectionMemory,
  openInspector,
  type VariableOff,
} from './inspector.ts';
export type { MediaReadLimits } from './probe-file.ts';
