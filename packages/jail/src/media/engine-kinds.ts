/** What commands run on, and why one of these may be missing on a machine. */
import type { CommandName } from '@millpond/protocol';
import type { SandboxProblem } from '../sandbox/index.ts';

/** files: nothing but the server itself; images: the image program; media: ffmpeg. Each machine that has one has those before it. */
export const ENGINE_KINDS = ['files', 'images', 'media'] as const;
export type EngineKind = (typeof ENGINE_KINDS)[number];

export const engineOf: Readonly<Record<CommandName, EngineKind>> = {
  qhash: 'files',
  concat: 'files',
  mkzip: 'files',
  imageView2: 'images',
  imageMogr2: 'images',
  watermark: 'images',
  imageInfo: 'images',
  imageAve: 'images',
  exif: 'images',
  vframe: 'media',
  vsample: 'media',
  avthumb: 'media',
  avconcat: 'media',
  avinfo: 'media',
};

/** The engine that all of these commands together need. */
export function engineNeeded(commands: readonly CommandName[]): EngineKind {
  const highest = Math.max(0, ...commands.map((command) => ENGINE_KINDS.indexOf(engineOf[command])));
  return ENGINE_KINDS[highest] ?? 'media';
}

/** What a process lacks for each kind of engine that it doesn't have. */
export type MissingEngines = Readonly<Partial<Record<EngineKind, SandboxProblem>>>;

/** This process can't run the command, and another one may. */
export class EngineMissingError extends Error {
  override readonly name = 'EngineMissingError';
  readonly kind: EngineKind;

  constructor(kind: EngineKind, { problem, remedy }: SandboxProblem) {
    super(`${problem} (${remedy})`);
    this.kind = kind;
  }
}
