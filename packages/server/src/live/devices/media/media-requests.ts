/** The wanted channels of a port's devices, with the state of each, which is written when it changes. */
import type { Dialog } from '@millpond/camera-wire';
import type { LiveRemuxOptions } from '@millpond/jail';
import type { Lease } from '../../../platform/leases/leases.ts';
import type { ShareClaim } from './account-shares.ts';
import type { MediaRequestRow, MediaState, MediaStore, SavedMediaState } from './device-media.store.ts';
import type { MediaSession } from './media-session.ts';

export interface MediaRequest {
  row: MediaRequestRow;
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
  /** No longer requested; kept until its final state is saved. */
  isGone: boolean;
}

export class MediaRequestStates {
  readonly #store: MediaStore;
  readonly #lease: Lease;
  readonly #wishes = new Map<string, MediaRequest>();

  constructor(store: MediaStore, lease: Lease) {
    this.#store = store;
    this.#lease = lease;
  }

  requests(): Iterable<MediaRequest> {
    return this.#wishes.values();
  }

  /** Who has sessions, and who waits for one. */
  *standings(): Generator<ShareClaim> {
    for (const { row, session, isGone } of this.#wishes.values()) {
      const isWaiting = row.is_wanted && !row.is_disabled && !isGone;
      yield { tenant: row.tenant, state: session !== undefined ? 'holds' : isWaiting ? 'waits' : 'idle' };
    }
  }

  /** Replaces the requested set; returns requests that disappeared. */
  update(rows: readonly MediaRequestRow[]): MediaRequest[] {
    const current = new Set(rows.map(keyOf));
    for (const row of rows) {
      const known = this.#wishes.get(keyOf(row));
      if (known === undefined) this.#wishes.set(keyOf(row), newMediaRequest(row));
      else {
        // An account that asks again does not want to wait for the next retry.
        if (row.wanted_at > known.row.wanted_at) Object.assign(known, { notBefore: 0, failures: 0 });
        Object.assign(known, { row, isGone: false });
      }
    }
    const gone = [...this.#wishes].filter(([key]) => !current.has(key)).map(([, request]) => request);
    for (const request of gone) request.isGone = true;
    return gone;
  }

  /** Writes what changed, in one transaction that only the port's owner can commit. */
  async write(): Promise<void> {
    const changed = [...this.#wishes.values()].filter((request) => toldOf(request) !== request.told);
    const over = [...this.#wishes.values()].filter(
      (request) => !request.row.is_wanted && request.session === undefined,
    );
    const told = changed.map((request) => [request, toldOf(request)] as const);
    if (changed.length + over.length > 0)
      await this.#store.transaction(async (transaction) => {
        await this.#lease.hold(transaction);
        if (changed.length > 0) await this.#store.saveStates(transaction, changed.map(stateOf));
        if (over.length > 0)
          await this.#store.forget(
            transaction,
            over.map(({ row }) => idOf(row)),
          );
      });
    for (const [request, text] of told) request.told = text;
    for (const [key, request] of this.#wishes)
      if (request.session === undefined && (request.isGone || over.includes(request)))
        this.#wishes.delete(key);
  }
}

function newMediaRequest(row: MediaRequestRow): MediaRequest {
  return {
    row,
    session: undefined,
    state: 'waiting',
    reason: '',
    failures: 0,
    notBefore: 0,
    remux: {},
    earlier: row.dialog ?? undefined,
    told: '',
    isGone: false,
  };
}

function keyOf({ device_id, channel }: MediaRequestRow): string {
  return `${device_id} ${channel}`;
}

function idOf({ device_id, channel }: MediaRequestRow): Pick<SavedMediaState, 'deviceId' | 'channel'> {
  return { deviceId: device_id, channel };
}

function stateOf({ row, state, reason, session, earlier }: MediaRequest): SavedMediaState {
  return { ...idOf(row), state, reason, dialog: session?.dialog ?? earlier };
}

function toldOf(request: MediaRequest): string {
  const { state, reason, dialog } = stateOf(request);
  return JSON.stringify([state, reason, dialog?.callId]);
}
