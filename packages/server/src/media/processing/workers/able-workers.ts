/** Which commands some worker of the region can run, and in words which worker lacks what for the others. */
import { type EngineKind, engineNeeded } from '@millpond/jail';
import { Fault, type Fop } from '@millpond/protocol';
import type { WorkerRow, WorkerStore } from './worker.store.ts';

/** Longer than any restart: while workers are replaced, nothing is refused. */
const AWAY_SECONDS = 600;
/** How long it is believed that there is one. */
const BELIEVED_MS = 30_000;
const MAX_NAMED_WORKERS = 3;

const ENGINE_WORDS: Readonly<Record<EngineKind, string>> = {
  files: 'no program',
  images: 'the image program',
  media: 'ffmpeg',
};

export class AbleWorkers {
  readonly #store: WorkerStore;
  readonly #seenAt = new Map<EngineKind, number>();

  constructor(store: WorkerStore) {
    this.#store = store;
  }

  /** Refuses commands that nothing has been able to run for ten minutes. */
  async refuseUnable(commands: readonly Fop[]): Promise<void> {
    const engine = engineOfAll(commands);
    if (performance.now() - (this.#seenAt.get(engine) ?? Number.NEGATIVE_INFINITY) < BELIEVED_MS) return;
    if (await this.#store.wasSeen(engine, AWAY_SECONDS)) {
      this.#seenAt.set(engine, performance.now());
      return;
    }
    const command = commands
      .flatMap(({ stages }) => stages)
      .find((stage) => engineNeeded([stage.command]) === engine);
    const named = command === undefined ? 'the task' : command.command;
    const words = `${named} needs ${workerWords(engine)}, and for ten minutes there was none: `;
    throw new Fault('unsupportedCommand', { hint: words + (await this.reasons(engine)) });
  }

  /** A worker with this engine that is there now. */
  async isThere(engine: EngineKind): Promise<boolean> {
    const workers = await this.#store.list(AWAY_SECONDS);
    return workers.some(
      ({ is_alive, engines }) => is_alive && (engines === null || engines.includes(engine)),
    );
  }

  /** Why there is none with it, and what to do. */
  async reasons(engine: EngineKind): Promise<string> {
    const living = (await this.#store.list(AWAY_SECONDS)).filter(({ is_alive }) => is_alive);
    if (living.length === 0) return 'no worker runs; an operator starts one with `millpond work`';
    const lacking = living.slice(0, MAX_NAMED_WORKERS).map((worker) => lackOf(worker, engine));
    const more = living.length > MAX_NAMED_WORKERS ? [`${living.length - MAX_NAMED_WORKERS} more`] : [];
    return [...lacking, ...more].join('; ');
  }
}

export function engineOfAll(commands: readonly Fop[]): EngineKind {
  return engineNeeded(commands.flatMap(({ stages }) => stages.map(({ command }) => command)));
}

export function workerWords(engine: EngineKind): string {
  return engine === 'files' ? 'a worker' : `a worker with ${ENGINE_WORDS[engine]}`;
}

function lackOf({ host, pid, missing }: WorkerRow, engine: EngineKind): string {
  const problem = missing[engine];
  if (problem === undefined) return `${host}:${pid} does not have ${ENGINE_WORDS[engine]}`;
  return `at ${host}:${pid} ${problem.problem} (${problem.remedy})`;
}
