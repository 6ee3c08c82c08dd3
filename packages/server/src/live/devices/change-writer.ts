/**
 * Writes changes of devices: registrations, their ends, lists of channels. All that waits at the same time goes into one
 * transaction, together with its events; changes of one device keep their order. The registrations in memory change with
 * the commit, never before.
 */
import { Coalescer } from '../../platform/coalescer.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { isFaultOfAChange } from '../../platform/db/sqlstate.ts';
import type { Lease } from '../../platform/leases/leases.ts';
import type { LiveEventInput, LiveEvents } from '../streams/index.ts';
import type { ChangedDevice, NewCatalog, NewRegistration, RegistrationStore } from './registration.store.ts';
import type { Registration, Registrations } from './registrations.ts';

export type RegistrationChange =
  | { readonly kind: 'register'; readonly entry: NewRegistration; readonly registration: Registration }
  /** `isCertain`: the device said so itself, or may not be there. Otherwise signs of life are checked again before writing. */
  | { readonly kind: 'end'; readonly registration: Registration; readonly isCertain: boolean }
  | { readonly kind: 'list'; readonly catalog: NewCatalog };

export interface ChangeWriterDeps {
  readonly store: RegistrationStore;
  readonly events: LiveEvents;
}

const CHANGES_BATCH = 500;
/** Rows of channels per transaction. */
const MAX_CHANNELS = 20_000;
/** Events per statement. */
const EVENTS_BATCH = 1000;

export class ChangeWriter {
  readonly #deps: ChangeWriterDeps;
  readonly #lease: Lease;
  readonly #registrations: Registrations;
  readonly #changes: Coalescer<RegistrationChange, boolean>;

  constructor(deps: ChangeWriterDeps, lease: Lease, registrations: Registrations, maxWaiting: number) {
    this.#deps = deps;
    this.#lease = lease;
    this.#registrations = registrations;
    this.#changes = new Coalescer({
      most: CHANGES_BATCH,
      atOnce: 1,
      maxWaiting,
      key: (change) => deviceOf(change),
      work: (changes) => this.#write(changes),
      isOfOne: isFaultOfAChange,
    });
  }

  /** Whether it was done: a device that does not exist (any more) can neither come nor go. */
  add(change: RegistrationChange): Promise<boolean> {
    return this.#changes.add(change);
  }

  idle(): Promise<void> {
    return this.#changes.idle();
  }

  async #write(all: readonly RegistrationChange[]): Promise<boolean[]> {
    const now = performance.now();
    // A sign of life or a new registration may have arrived while this waited.
    const changes = all.filter((change) => change.kind !== 'end' || this.#hasEnded(change, now));
    const registers = changes.filter((change) => change.kind === 'register');
    const ends = changes.filter((change) => change.kind === 'end');
    const lists = changes.filter((change) => change.kind === 'list');
    const done = new Set<bigint>();
    if (changes.length > 0) {
      const changed = await this.#deps.store.transaction((transaction) =>
        this.#inTransaction(transaction, {
          registers: registers.map(({ entry }) => entry),
          ends: ends.map(({ registration, isCertain }) => ({
            deviceId: registration.deviceId,
            agoMs: isCertain ? 0 : now - this.#registrations.endOf(registration),
          })),
          lists: lists.map(({ catalog }) => catalog),
        }),
      );
      for (const { device_id: id } of changed) done.add(id);
    }
    for (const { registration } of registers)
      if (done.has(registration.deviceId)) this.#registrations.set(registration);
    for (const { registration } of ends) this.#registrations.delete(registration);
    return all.map((change) => done.has(deviceOf(change)));
  }

  #hasEnded({ registration, isCertain }: Extract<RegistrationChange, { kind: 'end' }>, now: number): boolean {
    if (this.#registrations.get(registration.deviceId) !== registration) return false;
    return isCertain || this.#registrations.endOf(registration) <= now;
  }

  async #inTransaction(
    transaction: Transaction,
    changes: {
      registers: readonly NewRegistration[];
      ends: readonly { deviceId: bigint; agoMs: number }[];
      lists: readonly NewCatalog[];
    },
  ): Promise<ChangedDevice[]> {
    const { store, events } = this.#deps;
    const { registers, ends, lists } = changes;
    const { name } = this.#lease;
    await this.#lease.hold(transaction);
    const now = await store.lock(
      transaction,
      [...registers, ...ends, ...lists].map(({ deviceId }) => deviceId),
    );
    if (now === undefined) return [];
    const came = registers.length > 0 ? await store.register(transaction, name, registers) : [];
    const gone = ends.length > 0 ? await store.expire(transaction, name, ends) : [];
    const listed: ChangedDevice[] = [];
    for (const some of inPortions(lists)) listed.push(...(await store.list(transaction, some)));
    const agoOf = new Map(ends.map(({ deviceId, agoMs }) => [deviceId, agoMs]));
    const all = [...came, ...gone, ...listed];
    const news = all.flatMap((changed) =>
      newsOf(changed, new Date(now.getTime() - (agoOf.get(changed.device_id) ?? 0))),
    );
    for (let at = 0; at < news.length; at += EVENTS_BATCH)
      await events.enqueueAll(transaction, news.slice(at, at + EVENTS_BATCH));
    return all;
  }
}

function deviceOf(change: RegistrationChange): bigint {
  return change.kind === 'list' ? change.catalog.deviceId : change.registration.deviceId;
}

function newsOf({ ns_id, uid, callback, gbid, online, offline }: ChangedDevice, at: Date): LiveEventInput[] {
  const namespace = { ns_id, uid, callback };
  const tell = (deviceState: 'online' | 'offline') => (chGbid: string) =>
    ({ namespace, at, event: { type: 'device', gbid, chGbid, deviceState } }) as const;
  return [...offline.map(tell('offline')), ...online.map(tell('online'))];
}

function* inPortions(catalogs: readonly NewCatalog[]): Generator<NewCatalog[]> {
  let some: NewCatalog[] = [];
  let count = 0;
  for (const catalog of catalogs) {
    if (some.length > 0 && count + catalog.channels.length > MAX_CHANNELS) {
      yield some;
      [some, count] = [[], 0];
    }
    some.push(catalog);
    count += catalog.channels.length;
  }
  if (some.length > 0) yield some;
}
