/**
 * The time-driven work for the devices of a port: expiry of registrations, signs of life written in batches, catalogs
 * that stay incomplete, requests to list channels, and registrations of ports without an owner.
 */
import type { Log } from '@millpond/base';
import type { Transport } from '@millpond/camera-wire';
import type { AccountStates } from '../../identity/accounts/index.ts';
import type { Lease } from '../../platform/leases/leases.ts';
import type { CatalogQueries } from './catalog-queries.ts';
import type { ChangeWriter, RegistrationChange } from './change-writer.ts';
import type { Registrar } from './registrar.ts';
import type { RegistrationRow, RegistrationStore } from './registration.store.ts';
import type { Registration, Registrations } from './registrations.ts';

export interface UpkeepDeps {
  readonly store: RegistrationStore;
  readonly accounts: AccountStates;
  readonly registrations: Registrations;
  readonly registrar: Registrar;
  readonly changes: ChangeWriter;
  readonly catalogs: CatalogQueries;
  readonly log: Log;
}

const LOAD_BATCH = 5_000;
const SEEN_BATCH = 5_000;
const DISABLED_BATCH = 1_000;
const DISABLED_CHECK_INTERVAL_MS = 5_000;
const TAKEOVER_INTERVAL_MS = 30_000;
/** Much longer than a lease, so the owner is not merely slow. */
const ABANDONED_MS = 60_000;

export class Upkeep {
  readonly #deps: UpkeepDeps;
  readonly #lease: Lease;
  readonly #ending = new Set<Registration>();
  #transport: Transport | undefined;
  /** Signs of life not yet written. */
  readonly #unwritten = new Set<Registration>();
  /** A change failed, and it is not known whether it was committed: the database may know more than we do. */
  #isInDoubt = false;
  #unwrittenChanges = 0;
  #disabledAt = Number.NEGATIVE_INFINITY;
  #adoptedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: UpkeepDeps, lease: Lease) {
    this.#deps = deps;
    this.#lease = lease;
  }

  /** Loads registrations at the port that are not known here. */
  async load(): Promise<void> {
    const { store, registrations, log } = this.#deps;
    let count = 0;
    for (let after = 0n; ; ) {
      const rows = await store.load(this.#lease.name, after, LOAD_BATCH);
      for (const row of rows) {
        if (registrations.get(row.device_id) !== undefined) continue;
        registrations.set(this.#loaded(row));
        count += 1;
      }
      after = rows.at(-1)?.device_id ?? after;
      if (rows.length < LOAD_BATCH) break;
    }
    if (count > 0) log.info({ lease: this.#lease.name, count }, 'registrations taken over');
  }

  listening(transport: Transport): void {
    const { registrations } = this.#deps;
    this.#transport = transport;
    registrations.listening(performance.now());
    for (const { peer, ...rest } of Array.from(registrations.values()))
      if (peer.transport === 'udp')
        registrations.set({ ...rest, peer: transport.udpPeer(peer.address, peer.port) });
  }

  /** Once a second. A database that is away does not end it: everything is tried again at the next tick. */
  async tick(): Promise<void> {
    const { catalogs, registrations, log } = this.#deps;
    const now = performance.now();
    try {
      this.#endDue(now);
      this.#takeOverdue(now);
      await this.#writeSeen();
      await this.#applyRequests(now);
      if (this.#isInDoubt) {
        this.#isInDoubt = false;
        await this.load();
      }
    } catch (error) {
      this.#isInDoubt = true;
      log.warn({ error: (error as Error).message }, 'upkeep of devices failed; trying again');
    }
    if (this.#unwrittenChanges > 0)
      log.warn({ count: this.#unwrittenChanges }, 'changes of devices could not be recorded');
    this.#unwrittenChanges = 0;
    catalogs.askDue(registrations, performance.now());
  }

  /** Writes what is known before another process takes over. */
  async last(): Promise<void> {
    await this.#writeSeen().catch(() => undefined);
    await this.#deps.changes.idle();
  }

  #endDue(now: number): void {
    const { registrations } = this.#deps;
    for (const registration of registrations.values())
      if (registrations.endOf(registration) <= now) this.#end(registration, false);
  }

  #end(registration: Registration, isCertain: boolean): void {
    if (this.#ending.has(registration)) return;
    this.#ending.add(registration);
    void this.#write({ kind: 'end', registration, isCertain }).finally(() =>
      this.#ending.delete(registration),
    );
  }

  #takeOverdue(now: number): void {
    const { catalogs } = this.#deps;
    for (const catalog of catalogs.answers.overdue()) {
      catalogs.markListed(catalog, now);
      const { device, isWhole, channels } = catalog;
      void this.#write({ kind: 'list', catalog: { deviceId: device.deviceId, isWhole, channels } });
    }
  }

  async #write(change: RegistrationChange): Promise<void> {
    try {
      await this.#deps.changes.add(change);
    } catch {
      this.#isInDoubt = true;
      this.#unwrittenChanges += 1;
    }
  }

  async #writeSeen(): Promise<void> {
    const { registrar, registrations, store } = this.#deps;
    for (const each of registrar.takeHeard()) this.#unwritten.add(each);
    // A newer registration has its own time.
    const current = [...this.#unwritten].filter((each) => registrations.get(each.deviceId) === each);
    const now = performance.now();
    for (let at = 0; at < current.length; at += SEEN_BATCH) {
      const some = current.slice(at, at + SEEN_BATCH);
      const known = await store.seen(
        this.#lease.name,
        some.map(({ deviceId, seenAt }) => ({ deviceId, agoMs: now - seenAt })),
      );
      // Deleted, or now registered at another port: no longer ours to report.
      for (const each of some) if (!known.has(each.deviceId)) registrations.delete(each);
    }
    this.#unwritten.clear();
  }

  /** Does what others requested through the database. */
  async #applyRequests(now: number): Promise<void> {
    const { store, accounts, registrations, catalogs } = this.#deps;
    for (const id of await store.takeCatalogsDue(this.#lease.name)) {
      const registration = registrations.get(id);
      if (registration !== undefined) catalogs.schedule(registration, now);
    }
    if (now - this.#disabledAt >= DISABLED_CHECK_INTERVAL_MS) {
      this.#disabledAt = now;
      const owners = await accounts.disabledAmong(await store.owners());
      for (const id of await store.disabled(owners, DISABLED_BATCH)) {
        const registration = registrations.get(id);
        if (registration !== undefined) this.#end(registration, true);
      }
    }
    if (now - this.#adoptedAt >= TAKEOVER_INTERVAL_MS) {
      this.#adoptedAt = now;
      if ((await store.takeOverOrphans(this.#lease.name, ABANDONED_MS)) > 0) await this.load();
    }
  }

  #loaded(row: RegistrationRow): Registration {
    const now = performance.now();
    const { transport, address, port } = row;
    const isReachable = transport === 'udp' && this.#transport !== undefined;
    return {
      deviceId: row.device_id,
      gbid: row.gbid,
      peer: (isReachable && this.#transport?.udpPeer(address, port)) || { transport, address, port },
      expiresAt: now + row.expires_in,
      // We did not hear a registration that is found while we already listen: its three heartbeats count from now.
      seenAt: this.#transport === undefined ? now - row.seen_ago : now,
      askAt: undefined,
      asked: 0,
      listedAt: now,
    };
  }
}
