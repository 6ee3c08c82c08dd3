/** The wanted channels of a port's devices, with the state of each, which is written when it changes. */
import type { Dialog } from '@millpond/camera-wire';
import type { LiveRemuxOptions } from '@millpond/jail';
import type { Lease } from '../../../platform/leases/leases.ts';
import type { MediaState, MediaStore, ToldState, WishRow } from './device-media.store.ts';
import type { MediaSession } from './media-session.ts';
import type { Standing } from './shares.ts';

export interface Wish {
  row: WishRow;
  session: MediaSession | undefined;
  state: MediaState;
  reason: string;
  /** In a row. */
  failures: number;
  /** By this process's clock. */
  notBefore: number;
  /** How to handle its media, given what they turned out to be. */
  remux: LiveRemuxOptions;
  /** A call of an earlier process that may still be in progress. */
  earlier: Dialog | undefined;
  /** What was written last. */
  told: string;
  /** None of our rows has it any more; it stays until its end is written. */
  isGone: boolean;
}

export class WishStates {
  readonly #store: MediaStore;
  readonly #lease: Lease;
  readonly #wishes = new Map<string, Wish>();

  constructor(store: MediaStore, lease: Lease) {
    this.#store = store;
    this.#lease = lease;
  }

  wishes(): Iterable<Wish> {
    return this.#wishes.values();
  }

  /** Who has sessions, and who waits for one. */
  *standings(): Generator<Standing> {
    for (const { row, session, isGone } of this.#wishes.values()) {
      const isWaiting = row.is_wanted && !row.is_disabled && !isGone;
      yield { tenant: row.tenant, state: session !== undefined ? 'holds' : isWaiting ? 'waits' : 'idle' };
    }
  }

  /** Takes in what is wanted now; returns those that were known before and are not among it. */
  update(rows: readonly WishRow[]): Wish[] {
    const current = new Set(rows.map(keyOf));
    for (const row of rows) {
      const known = this.#wishes.get(keyOf(row));
      if (known === undefined) this.#wishes.set(keyOf(row), newWish(row));
      else {
        // An account that asks again does not want to wait for the next retry.
        if (row.wanted_at > known.row.wanted_at) Object.assign(known, { notBefore: 0, failures: 0 });
        Object.assign(known, { row, isGone: false });
      }
    }
    const gone = [...this.#wishes].filter(([key]) => !current.has(key)).map(([, wish]) => wish);
    for (const wish of gone) wish.isGone = true;
    return gone;
  }

  /** Writes what changed, in one transaction that only the port's owner can commit. */
  async write(): Promise<void> {
    const changed = [...this.#wishes.values()].filter((wish) => toldOf(wish) !== wish.told);
    const over = [...this.#wishes.values()].filter(
      (wish) => !wish.row.is_wanted && wish.session === undefined,
    );
    const told = changed.map((wish) => [wish, toldOf(wish)] as const);
    if (changed.length + over.length > 0)
      await this.#store.transaction(async (transaction) => {
        await this.#lease.hold(transaction);
        if (changed.length > 0) await this.#store.tell(transaction, changed.map(stateOf));
        if (over.length > 0)
          await this.#store.forget(
            transaction,
            over.map(({ row }) => idOf(row)),
          );
      });
    for (const [wish, text] of told) wish.told = text;
    for (const [key, wish] of this.#wishes)
      if (wish.session === undefined && (wish.isGone || over.includes(wish))) this.#wishes.delete(key);
  }
}

function newWish(row: WishRow): Wish {
  return {
    ...{ row, session: undefined, state: 'waiting', reason: '', failures: 0, notBefore: 0 },
    ...{ remux: {}, earlier: row.dialog ?? undefined, told: '', isGone: false },
  };
}

function keyOf({ device_id, channel }: WishRow): string {
  return `${device_id} ${channel}`;
}

function idOf({ device_id, channel }: WishRow): Pick<ToldState, 'deviceId' | 'channel'> {
  return { deviceId: device_id, channel };
}

function stateOf({ row, state, reason, session, earlier }: Wish): ToldState {
  return { ...idOf(row), state, reason, dialog: session?.dialog ?? earlier };
}

function toldOf(wish: Wish): string {
  const { state, reason, dialog } = stateOf(wish);
  return JSON.stringify([state, reason, dialog?.callId]);
}
