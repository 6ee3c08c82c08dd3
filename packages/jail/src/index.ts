/** Programs that read what users sent, in a sandbox. */
export type { ContentSource, MediaSource } from '@millpond/blobs';
export { isSharpInstalled } from './images/index.ts';
export { type Inspector, inspectionMemory, openInspector, type VariableOff } from './inspect/inspector.ts';
export { imageProcessMemory, type MediaEngine, openMediaEngine } from './media/engine.ts';
export {
  ENGINE_KINDS,
  type EngineKind,
  EngineMissingError,
  engineNeeded,
  type MissingEngines,
} from './media/engine-kinds.ts';
export type { DownloadTarget } from './media/extra-sources.ts';
export { ProcessingError } from './media/failure.ts';
export { eachPiece, sourceOfBytes, sourceOfFile } from './media/files.ts';
export type { ImageBounds } from './media/image-maker.ts';
export { type FurtherSource, type MemoryJob, type MemoryResult, runInMemory } from './media/in-memory.ts';
export { mediaLimits, remuxLimits } from './media/limits.ts';
export { type LiveRemux, type LiveRemuxOptions, liveRemuxMemory } from './media/live-remux.ts';
export type { Remuxed } from './media/remux.ts';
export type { StageClock, StageName } from './media/stage-clock.ts';
export { runStages, StageError } from './media/stages.ts';
export type { MediaOutput, MediaPart, PartName } from './media/types.ts';
export { createZipWriter, isPackedType } from './media/zip-writer.ts';
export {
  type JobFolders,
  jobFolders,
  openJobDirectories,
  openSandbox,
  openUnconfined,
  probeLimits,
  type Sandbox,
  type SandboxProblem,
  SandboxUnavailableError,
  type UnconfinedPermit,
} from './sandbox/index.ts';
