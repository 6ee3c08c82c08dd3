/**
 * The regions that share the control database. Each tells its name and hosts when a gateway of it starts; no region calls
 * another, so this is all that one knows of the others.
 */
import { Fault } from '@millpond/protocol';
import { StaleIfErrorCache } from '../../../platform/cache.ts';
import { RegionHosts } from './region-hosts.ts';
import type { RegionRow, RegionsStore } from './regions.store.ts';

export interface RegionsOptions {
  readonly region: string;
  readonly hosts: readonly { readonly role: string; readonly host: string }[];
  readonly freshMs: number;
  readonly staleMs: number;
}

export class Regions {
  readonly #store: RegionsStore;
  readonly #options: RegionsOptions;
  readonly #all: StaleIfErrorCache<readonly RegionRow[]>;

  constructor(store: RegionsStore, options: RegionsOptions) {
    this.#store = store;
    this.#options = options;
    const { freshMs, staleMs } = options;
    this.#all = new StaleIfErrorCache({ load: () => store.all(), freshMs, staleMs, entries: 1 });
  }

  /** This one. */
  get own(): string {
    return this.#options.region;
  }

  /** Tells the others that this region is there. */
  async publishSelf(): Promise<void> {
    const { region, hosts } = this.#options;
    const byRole = Map.groupBy(hosts, ({ role }) => role);
    const named = [...byRole].map(([role, list]) => [role, list.map(({ host }) => host)]);
    await this.#store.publish({ region, hosts: Object.fromEntries(named) });
    this.#all.forget(ALL);
  }

  /** For a region that was given up: it is listed no more. A gateway of it that starts tells it anew. */
  async forget(region: string): Promise<void> {
    if (region === this.own)
      throw new Fault('notAllowed', { hint: `${region} is the region of this configuration` });
    const named = await this.#store.forget(region);
    if (named === undefined) throw await this.#unknown(region);
    this.#all.forget(ALL);
    const { buckets, bucket, accounts, account } = named;
    const keeping = [
      ...(buckets > 0 ? [`${buckets} buckets are in it, such as ${bucket}`] : []),
      ...(accounts > 0 ? [`it is the default of ${accounts} accounts, such as ${account}`] : []),
    ];
    if (keeping.length > 0)
      throw new Fault('notAllowed', { hint: `region ${region} is still named: ${keeping.join('; ')}` });
  }

  /** By name; this one is among them even if it has not told yet. */
  async names(): Promise<string[]> {
    const told = (await this.#rows()).map(({ region }) => region);
    return [...new Set([...told, this.own])].sort();
  }

  /** One that has told its name a moment ago is known: the others are asked for anew before it is refused. */
  async refuseUnknown(region: string): Promise<void> {
    if ((await this.names()).includes(region)) return;
    await this.#all.getNew(ALL);
    if (!(await this.names()).includes(region)) throw await this.#unknown(region);
  }

  async #unknown(region: string): Promise<Fault> {
    const names = (await this.names()).filter((name) => name !== region);
    return new Fault('incorrectRegion', {
      hint: `there is no region ${region}; there is ${names.join(', ')}`,
    });
  }

  /** The same, of a region that may have told none. */
  async listed(region: string): Promise<RegionHosts> {
    return new RegionHosts({ region, hosts: await this.publishedHosts(region), listen: [] });
  }

  /** How another region is reached. */
  async hostsOf(region: string): Promise<RegionHosts> {
    const hosts = await this.publishedHosts(region);
    if (hosts.length === 0)
      throw new Fault('incorrectRegion', {
        hint: `the bucket is in region ${region}, which has told no host names: set MILLPOND_HOSTS there`,
      });
    return new RegionHosts({ region, hosts, listen: [] });
  }

  /** That a bucket is in another region, and where that is. */
  async wrongRegionFault(bucket: { readonly name: string; readonly region: string }): Promise<Fault> {
    const hosts = (await this.publishedHosts(bucket.region)).map(({ role, host }) => `${role}=${host}`);
    const where = hosts.length === 0 ? '' : `, at ${hosts.join(', ')}`;
    return new Fault('incorrectRegion', {
      hint: `this is region ${this.own}; bucket ${bucket.name} is in region ${bucket.region}${where}`,
    });
  }

  /** None if the region has told none. */
  async publishedHosts(region: string): Promise<{ role: string; host: string }[]> {
    const row = (await this.#rows()).find((told) => told.region === region);
    return Object.entries(row?.hosts ?? {}).flatMap(([role, names]) => names.map((host) => ({ role, host })));
  }

  async #rows(): Promise<readonly RegionRow[]> {
    return this.#all.peek(ALL) ?? (await this.#all.get(ALL)) ?? [];
  }
}

const ALL = 'all';
