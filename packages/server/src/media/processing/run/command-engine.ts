/** What the runner needs from the media engines; see commands.ts for the implementation. */
import type { StageClock } from '@millpond/jail';
import type { Fop } from '@millpond/protocol';
import type { TaskRow } from '../task.ts';

/** The command could not be done, and a retry would not change that. */
export class CommandError extends Error {
  /** Index of the piped segment, from 0. */
  readonly stage: number;
  /** The last output of the engine. */
  readonly words: string | undefined;

  constructor(message: string, stage: number, words?: string) {
    super(message);
    this.stage = stage;
    this.words = words;
  }
}

export interface OutputFile {
  readonly path: string;
  readonly mimeType: string | undefined;
  /** Its key, if it is stored next to another result. */
  siblingKey(mainKey: string): string;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
  /** 0 to 100. */
  readonly progress: (percent: number) => void;
  readonly clock: StageClock;
  /** Where the result will be, if known: files next to it are named after it. */
  readonly mainKey: string | undefined;
}

export interface CommandEngine {
  /** The files exist while `keep` runs. The first one is the result, the others belong to it. */
  withResult<Kept>(
    fop: Fop,
    task: TaskRow,
    options: CommandOptions,
    keep: (files: readonly OutputFile[], warnings: readonly string[]) => Promise<Kept>,
  ): Promise<Kept>;
}
