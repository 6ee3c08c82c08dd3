/** Follows what a command is doing, one thing at a time: the one that began last is what it does. */

/** fetch: bytes of a source come. probe: a file is looked at. run: the command itself. store: its result is kept. */
export type StageName = 'look' | 'fetch' | 'probe' | 'run' | 'store';

export interface StageClock {
  /** From now on it does this. `words`: which command, for instance. */
  enter(name: StageName, words?: string): void;
  /** It does this while `work` lasts, and then again what it did before. */
  within<T>(name: StageName, work: () => Promise<T>): Promise<T>;
}

/** For commands whose times nobody wants to know. */
export const noStageClock: StageClock = { enter: () => undefined, within: (_name, work) => work() };
