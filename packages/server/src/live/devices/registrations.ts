/**
 * The registrations of a port in memory, as its owner knows them. A device is gone when its registration expires or after
 * three missed heartbeats, whichever comes first, but never earlier than three heartbeats after we began to listen: what
 * it sent while nobody listened is unknown.
 */

import type { Peer } from '@millpond/camera-wire';
import { MISSED_HEARTBEATS } from '../limits.ts';

export interface Registration {
  readonly deviceId: bigint;
  readonly gbid: string;
  /** Where it is. No `send`: over TCP, and its connection ended with the process that had it. */
  peer: Pick<Peer, 'transport' | 'address' | 'port'> & Partial<Pick<Peer, 'send' | 'keep'>>;
  /** By this process's clock. */
  readonly expiresAt: number;
  seenAt: number;
  /** When to ask for its channels, if at all, and how often that was done since they were last listed. */
  askAt: number | undefined;
  asked: number;
  listedAt: number;
}

export class Registrations {
  readonly #byDevice = new Map<bigint, Registration>();
  readonly #byGbid = new Map<string, Registration[]>();
  readonly #lostAfterMs: number;
  #nobodyBefore = Number.POSITIVE_INFINITY;

  constructor(heartbeatMs: number) {
    this.#lostAfterMs = MISSED_HEARTBEATS * heartbeatMs;
  }

  /** Devices can be heard from now on. */
  listening(now: number): void {
    this.#nobodyBefore = now + this.#lostAfterMs;
  }

  get size(): number {
    return this.#byDevice.size;
  }

  get(deviceId: bigint): Registration | undefined {
    return this.#byDevice.get(deviceId);
  }

  values(): Iterable<Registration> {
    return this.#byDevice.values();
  }

  set(registration: Registration): void {
    this.#remove(registration.deviceId);
    this.#byDevice.set(registration.deviceId, registration);
    const same = this.#byGbid.get(registration.gbid);
    // Newest first: if two come from the same address, the one that registered last is meant.
    if (same === undefined) this.#byGbid.set(registration.gbid, [registration]);
    else same.unshift(registration);
  }

  /** Only if it is still the current one. */
  delete(registration: Registration): void {
    if (this.#byDevice.get(registration.deviceId) === registration) this.#remove(registration.deviceId);
  }

  /** The sender of a message: a device with this id that registered from this address. */
  at(gbid: string, { transport, address, port, send }: Omit<Peer, 'keep'>): Registration | undefined {
    return this.#byGbid.get(gbid)?.find(
      ({ peer }) =>
        peer.address === address &&
        peer.transport === transport &&
        peer.port === port &&
        // Compares the connection itself: once it is closed, its port behind that address may be anybody's.
        (transport === 'udp' || peer.send === send),
    );
  }

  /** When it counts as gone, unless it is heard from before. */
  endOf({ expiresAt, seenAt }: Registration): number {
    return Math.max(Math.min(expiresAt, seenAt + this.#lostAfterMs), this.#nobodyBefore);
  }

  #remove(deviceId: bigint): void {
    const before = this.#byDevice.get(deviceId);
    if (before === undefined) return;
    this.#byDevice.delete(deviceId);
    const others = this.#byGbid.get(before.gbid)?.filter((each) => each !== before) ?? [];
    if (others.length === 0) this.#byGbid.delete(before.gbid);
    else this.#byGbid.set(before.gbid, others);
  }
}
