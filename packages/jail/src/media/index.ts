/** Commands run on files, in the sandbox: see engine.ts. */

export type { MediaSource } from '@millpond/blobs';
export {
  imageProcessMemory,
  type MediaEngine,
  type MediaEngineOptions,
  openMediaEngine,
} from './engine.ts';
export {
  ENGINE_KINDS,
  type EngineKind,
  EngineMissingError,
  engineNeeded,
  type MissingEngines,
} from './engine-kinds.ts';
export type { DownloadTarget } from './extra-sources.ts';
export { type FailureReason, ProcessingError } from './failure.ts';
export { eachPiece, sourceOfBytes, sourceOfFile } from './files.ts';
export { type ImageBounds, type ImageMaker, type MadeImage, persistentImageBounds } from './image-maker.ts';
export { type FurtherSource, type MemoryJob, type MemoryResult, runInMemory } from './in-memory.ts';
export { type MediaLimits, mediaLimits, remuxLimits } from './limits.ts';
export { type LiveRemux, type LiveRemuxOptions, liveRemuxMemory } from './live-remux.ts';
export type { Remuxed } from './remux.ts';
export type { StageClock, StageName } from './stage-clock.ts';
export { runStages, StageError } from './stages.ts';
export type { JudgedResult, MediaJob, MediaOutput, MediaPart, PartName } from './types.ts';
export { createZipWriter, isPackedType } from './zip-writer.ts';
