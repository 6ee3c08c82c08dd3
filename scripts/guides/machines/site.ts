/** The machines of the guides: a, b and c, and the operator's own. Their power can be cut off, and blocks of a page run on them. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Block, prints } from '../blocks.ts';
import { ensureBase } from './base.ts';
import { Machine } from './machine.ts';
import { createNetwork, type Network } from './network.ts';

const SERVERS = ['a', 'b', 'c'];
const ADDRESSES = new Map([
  ['a', '10.0.0.11'],
  ['b', '10.0.0.12'],
  ['c', '10.0.0.13'],
  ['ops', '10.0.0.2'],
]);
const LOSS = 'systemctl poweroff -ff';
/** A block's note: the commands for the three, once more on the machine that it names. */
const EVERY_BLOCK = /every block for a, b and c$/;

export interface Page {
  readonly name: string;
  readonly blocks: readonly Block[];
}

export interface SiteOptions {
  /** Port of this machine's S3 engine. */
  readonly enginePort: string;
  /** What the machines here need in place of the pages' words. */
  readonly replace: Readonly<Record<string, string>>;
  /** What a machine that replaces another one goes through. */
  readonly setUp: Page;
}

export class Site {
  readonly #folder: string;
  readonly #network: Network;
  readonly #options: SiteOptions;
  readonly #machines = new Map<string, Machine>();
  readonly #lost = new Set<string>();
  #lostAt: number | undefined;

  private constructor(folder: string, network: Network, options: SiteOptions) {
    this.#folder = folder;
    this.#network = network;
    this.#options = options;
  }

  static async start(options: SiteOptions): Promise<Site> {
    await ensureBase();
    const folder = await mkdtemp(path.join(tmpdir(), 'mp-servers-'));
    const site = new Site(folder, await createNetwork(ADDRESSES), options);
    await Promise.all([...ADDRESSES.keys()].map((name) => site.#boot(name)));
    return site;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#machines.values()].map((machine) => machine.end()));
    await this.#network.remove();
    await rm(this.#folder, { recursive: true });
  }

  machine(name: string): Machine {
    const machine = this.#machines.get(name);
    if (machine === undefined) throw new Error(`${name} has no power`);
    return machine;
  }

  async run(page: Page): Promise<void> {
    for (const block of page.blocks)
      try {
        await this.#runBlock(page, block);
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`${message}\n${await this.#journals()}`, { cause });
      }
  }

  async #journals(): Promise<string> {
    const journals = [...this.#machines.values()].map(
      async (machine) =>
        `what services wrote on ${machine.name}:\n${await machine.journal().catch(() => 'no journal')}`,
    );
    return (await Promise.all(journals)).join('\n');
  }

  async #runBlock(page: Page, block: Block): Promise<void> {
    const began = Date.now();
    const places = placesOf(page, block);
    if (EVERY_BLOCK.test(block.note ?? '')) await this.#setUpAgain(places);
    else if (block.commands.join('\n') === LOSS) await this.#lose(places);
    else await Promise.all(places.map((name) => this.#runOn(name, page, block)));
    console.log(
      `${page.name}:${block.line} on ${places.join(', ')}: ${(Date.now() - began) / 1000} s${this.#sinceLoss(began)}`,
    );
  }

  /** Said of the first block after it, which is a client that tries again until it is served. */
  #sinceLoss(began: number): string {
    if (this.#lostAt === undefined || this.#lostAt >= began) return '';
    const seconds = (Date.now() - this.#lostAt) / 1000;
    this.#lostAt = undefined;
    return `, ${seconds} s after the loss`;
  }

  async #runOn(name: string, page: Page, { commands, line, note, printed = [] }: Block): Promise<void> {
    const machine = this.#machines.get(name) ?? (await this.#boot(name, note?.endsWith('which is new')));
    const script = Object.entries(this.#options.replace).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      commands.join('\n'),
    );
    const said = await machine.run(script);
    if (!prints(said, printed))
      throw new Error(
        `${page.name}:${line} should print\n${printed.join('\n')}\nand printed on ${name}\n${said}`,
      );
  }

  async #setUpAgain(places: readonly string[]): Promise<void> {
    const { setUp } = this.#options;
    for (const block of setUp.blocks)
      if (placesOf(setUp, block).length === SERVERS.length)
        for (const name of places) await this.#runOn(name, setUp, block);
  }

  async #boot(name: string, isNew = false): Promise<Machine> {
    const place = path.join(this.#folder, name);
    if (this.#lost.delete(name)) await this.#network.renew(name);
    if (isNew) await rm(place, { recursive: true });
    await mkdir(place, { recursive: true });
    const machine = await Machine.boot(name, place, this.#network.of(name), {
      NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    });
    this.#machines.set(name, machine);
    if (SERVERS.includes(name)) await this.startS3Gateway(name);
    return machine;
  }

  /** In the place of Ceph's on each machine: a way to the only one, on this machine, whose loopback is seen as 10.0.2.2. */
  async startS3Gateway(name: string): Promise<void> {
    const forward = `/usr/lib/systemd/systemd-socket-proxyd 10.0.2.2:${this.#options.enginePort}`;
    await this.machine(name).run(
      `systemd-run --quiet --unit=s3-gateway --socket-property=ListenStream=7480 ${forward}`,
    );
  }

  async stopS3Gateway(name: string): Promise<void> {
    await this.machine(name).run('systemctl stop s3-gateway.socket s3-gateway.service');
  }

  async #lose(names: readonly string[]): Promise<void> {
    this.#lostAt = Date.now();
    for (const name of names) {
      await this.#network.cut(name);
      this.#lost.add(name);
      await this.#machines.get(name)?.end();
      this.#machines.delete(name);
    }
  }
}

function placesOf(page: Page, { note, line }: Block): readonly string[] {
  const listed = /^on ((?:(?:[abc]|ops)\b(?:, | and )?)+)/.exec(note ?? '')?.[1];
  if (listed === undefined) throw new Error(`${page.name}:${line} does not say where`);
  return listed.match(/\b(?:[abc]|ops)\b/g) ?? [];
}
