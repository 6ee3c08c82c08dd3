/** A worker that runs one task at a time, is recognised by its connections and its folder, and is killed. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Deployment, ServerProcess } from '@millpond/testing';

export class TaskWorker {
  /** Name of its connections to the database. */
  readonly name: string;
  /** Where the folders of its jobs are. */
  readonly root: string;
  readonly #start: () => Promise<ServerProcess>;
  #process: ServerProcess | undefined;

  private constructor(name: string, root: string, start: () => Promise<ServerProcess>) {
    this.name = name;
    this.root = root;
    this.#start = start;
  }

  static async start(
    deployment: Deployment,
    number: number,
    folder: string,
    settings: Readonly<Record<string, string>>,
  ): Promise<TaskWorker> {
    const [name, root] = [`millpond region ${number}`, path.join(folder, String(number))];
    await mkdir(folder, { recursive: true, mode: 0o711 });
    const regionUrl = new URL(deployment.environment.MILLPOND_REGION_DB ?? '');
    regionUrl.searchParams.set('application_name', name);
    const own = {
      MILLPOND_REGION_DB: regionUrl.href,
      MILLPOND_SANDBOX_ROOT: root,
      MILLPOND_MEDIA_SLOTS: '1',
    };
    const start = () => deployment.start({ args: ['work'], settings: { ...settings, ...own } });
    const worker = new TaskWorker(name, root, start);
    worker.#process = await start();
    return worker;
  }

  get isUp(): boolean {
    return this.#process !== undefined;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async kill(): Promise<void> {
    const killed = this.#process;
    this.#process = undefined;
    await killed?.kill('SIGKILL');
  }

  async restart(): Promise<void> {
    this.#process = await this.#start();
  }
}
