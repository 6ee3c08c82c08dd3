/** A server that is killed and comes back at the same address. */
import type { Deployment, ServerProcess } from '@millpond/testing';
import { freePort } from '@millpond/testing';

export class KillableServer {
  readonly url: string;
  readonly #start: () => Promise<ServerProcess>;
  #process: ServerProcess;

  private constructor(start: () => Promise<ServerProcess>, process: ServerProcess) {
    this.#start = start;
    this.#process = process;
    this.url = process.url;
  }

  static async start(
    deployment: Deployment,
    settings: Readonly<Record<string, string>>,
    args: readonly string[] = ['serve'],
  ): Promise<KillableServer> {
    const [port, adminPort] = [await freePort(), await freePort()];
    const listen = {
      MILLPOND_LISTEN: `http://127.0.0.1:${port}`,
      MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${adminPort}`,
    };
    const start = () => deployment.start({ args, settings: { ...listen, ...settings } });
    return new KillableServer(start, await start());
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
    this.#process = await this.#start();
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.#process.adminUrl}/readyz`).catch(() => undefined))?.ok ?? false;
  }

  async stop(): Promise<void> {
    await this.#process.kill('SIGTERM');
  }
}
