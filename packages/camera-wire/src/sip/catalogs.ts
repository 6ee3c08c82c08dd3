/**
 * Assembles catalogs that come in several messages: by device and number, until there are as many items as the first message
 * announced. A catalog that is incomplete after a while is delivered as it is, so that a lost message costs a channel and not
 * all of them. Bounded in number; the oldest is evicted.
 */
import type { CatalogItem, CatalogPart } from './manscdp.ts';

export interface Catalog<Device> {
  readonly device: Device;
  /** Whether these are all existing channels. */
  readonly isWhole: boolean;
  readonly channels: readonly CatalogItem[];
}

interface Collected<Device> {
  readonly device: Device;
  readonly total: number;
  /** By their content, so that a repeated message counts once. */
  readonly parts: Set<string>;
  readonly channels: Map<string, CatalogItem>;
  count: number;
  at: number;
}

export interface CatalogOptions {
  readonly patienceMs: number;
  readonly most: number;
  readonly now?: () => number;
}

export class Catalogs<Device> {
  readonly #options: CatalogOptions;
  readonly #now: () => number;
  /** Ordered by their last message. */
  readonly #open = new Map<string, Collected<Device>>();

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Catalogs to apply now: that of this part, if it was the last, and an evicted one. */
  add(device: Device, key: string, part: CatalogPart): Catalog<Device>[] {
    const name = `${key} ${part.number}`;
    const before = this.#open.get(name);
    const collected =
      before?.total === part.total
        ? before
        : { device, total: part.total, parts: new Set<string>(), channels: new Map(), count: 0, at: 0 };
    this.#open.delete(name);
    const content = part.channels.map(({ gbid }) => gbid).join();
    if (!collected.parts.has(content) || content === '') {
      collected.parts.add(content);
      collected.count += part.count;
      for (const channel of part.channels) collected.channels.set(channel.gbid, channel);
    }
    collected.at = this.#now();
    if (collected.count >= collected.total) return [finished(collected, true)];
    this.#open.set(name, collected);
    if (this.#open.size <= this.#options.most) return [];
    const [oldest] = this.#open;
    if (oldest === undefined) return [];
    this.#open.delete(oldest[0]);
    return [finished(oldest[1], false)];
  }

  /** Catalogs that have not grown for too long. */
  overdue(): Catalog<Device>[] {
    const since = this.#now() - this.#options.patienceMs;
    const given: Catalog<Device>[] = [];
    for (const [name, collected] of this.#open) {
      if (collected.at > since) break;
      this.#open.delete(name);
      given.push(finished(collected, false));
    }
    return given;
  }

  get size(): number {
    return this.#open.size;
  }
}

function finished<Device>({ device, channels }: Collected<Device>, isWhole: boolean): Catalog<Device> {
  return { device, isWhole, channels: [...channels.values()] };
}
