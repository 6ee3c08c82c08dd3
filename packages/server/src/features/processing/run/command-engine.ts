/** What the runner asks of the media engines; see commands.ts for how it is done. */
import type { Fop } from '@millpond/protocol';
import type { TaskRow } from '../task.ts';

/** The command could not be done, and would not be the next time either. */
export class CommandFailed extends Error {
  /** Of the piped segments, from 0. */
  readonly stage: number;
  /** The last words of the engine. */
  readonly words: string | undefined;

  constructor(message: string, stage: number, words?: string) {
    super(message);
    this.stage = stage;
    this.words = words;
  }
}

export interface MadeFile {
  readonly path: string;
  readonly mimeType: string | undefined;
  /** Its key, where it lies beside another result. */
  keyBeside(mainKey: string): string;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
  /** 0 to 100. */
  readonly progress: (percent: number) => void;
  /** Where the result will be, if that is known: files beside it are named from there. */
  readonly mainKey: string | undefined;
}

export interface CommandEngine {
  /** The files are there while `keep` runs. The first one is the result, the others belong to it. */
  withResult<Kept>(
    fop: Fop,
    task: TaskRow,
    options: CommandOptions,
    keep: (files: readonly MadeFile[]) => Promise<Kept>,
  ): Promise<Kept>;
}
