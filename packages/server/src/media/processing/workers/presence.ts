/** A process that runs tasks says that it is there, and what it has for them, so that others know what can be done. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log } from '@millpond/base';
import type { SandboxProblem } from '@millpond/jail';
import { ENGINE_KINDS, type EngineKind, type MissingEngines } from '@millpond/jail';
import type { WorkerStore } from './worker.store.ts';

const REPORT_INTERVAL_MS = 60_000;
/** What a process reports that does background work, but no tasks. */
const OFF: SandboxProblem = {
  problem: 'MILLPOND_MEDIA_SLOTS is 0',
  remedy: 'set it to 1 or more, or start another worker with `millpond work`',
};

export class WorkerPresence {
  readonly #store: WorkerStore;
  readonly #log: Pick<Log, 'warn'>;
  readonly #worker = { process: randomUUID(), host: hostname(), pid: process.pid };
  /** Undefined: it does not know yet. */
  #known: { readonly engines: readonly EngineKind[]; readonly missing: MissingEngines } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: WorkerStore, log: Pick<Log, 'warn'>, runsTasks = true) {
    this.#store = store;
    this.#log = log;
    if (!runsTasks) this.#known = { engines: [], missing: { files: OFF, images: OFF, media: OFF } };
  }

  /** Before the first task can be submitted: as long as it does not know what it has, it may have everything. */
  async start(): Promise<void> {
    await this.#tell();
    this.#timer = setInterval(() => {
      this.#tell().catch((error: unknown) =>
        this.#log.warn({ error: String(error) }, 'this worker could not say that it is there'),
      );
    }, REPORT_INTERVAL_MS).unref();
  }

  /** Returns the engines that it has. */
  async opened(missing: MissingEngines): Promise<readonly EngineKind[]> {
    const first = ENGINE_KINDS.findIndex((kind) => missing[kind] !== undefined);
    const engines = first < 0 ? ENGINE_KINDS : ENGINE_KINDS.slice(0, first);
    this.#known = { engines, missing };
    await this.#tell();
    return engines;
  }

  async stop(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    await this.#store.end(this.#worker).catch(() => undefined);
  }

  #tell(): Promise<void> {
    return this.#store.report(this.#worker, this.#known?.engines, this.#known?.missing ?? {});
  }
}
