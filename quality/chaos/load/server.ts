/** A server that is killed, or replaced by another version, and comes back at the same address. */
import type { Deployment, ServerProcess } from '@millpond/testing';
import { freePort } from '@millpond/testing';

type Settings = Readonly<Record<string, string>>;

export class KillableServer {
  readonly url: string;
  readonly adminUrl: string;
  readonly #start: (by: Deployment, settings: Settings) => Promise<ServerProcess>;
  #by: [Deployment, Settings];
  #process: ServerProcess;

  private constructor(
    start: (by: Deployment, settings: Settings) => Promise<ServerProcess>,
    by: [Deployment, Settings],
    process: ServerProcess,
  ) {
    this.#start = start;
    this.#by = by;
    this.#process = process;
    this.url = process.url;
    this.adminUrl = process.adminUrl;
  }

  static async start(
    deployment: Deployment,
    settings: Settings,
    args: readonly string[] = ['serve'],
  ): Promise<KillableServer> {
    const [port, adminPort] = [await freePort(), await freePort()];
    const listen = {
      MILLPOND_LISTEN: `http://127.0.0.1:${port}`,
      MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${adminPort}`,
    };
    const start = (by: Deployment, its: Settings) => by.start({ args, settings: { ...listen, ...its } });
    return new KillableServer(start, [deployment, settings], await start(deployment, settings));
  }

  /** kill -9, and a new process at once. Resolves when it is ready. */
  async killAndRestart(): Promise<void> {
    await this.kill();
    await this.startAgain();
  }

  async kill(): Promise<void> {
    await this.#process.kill('SIGKILL');
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** It hangs, or goes on, or whatever else the signal means to it. */
  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Resolves when it is ready. */
  async startAgain(): Promise<void> {
    this.#process = await this.#start(...this.#by);
  }

  /** As a package manager does: stops the process, and starts that of another version. Resolves when it is ready. */
  async replaceBy(deployment: Deployment, settings: Settings): Promise<void> {
    await this.stop();
    this.#by = [deployment, settings];
    await this.startAgain();
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.#process.adminUrl}/readyz`).catch(() => undefined))?.ok ?? false;
  }

  async stop(): Promise<void> {
    await this.#process.kill('SIGTERM');
  }
}
