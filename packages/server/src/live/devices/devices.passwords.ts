/** Passwords of devices: sealed at rest, opened only to check a digest. */
import { Fault } from '@millpond/protocol';
import type { SealedSecret, Sealer } from '../../platform/secrets/sealer.ts';
import { SealError } from '../../platform/secrets/sealer.ts';
import type { PasswordStore } from './password.store.ts';

export interface SealedPassword {
  readonly ns_id: string;
  readonly gbid: string;
  readonly sealed_password: Buffer;
  readonly master_key: string;
}

const PASSWORDS_BATCH = 500;

export class DevicePasswords {
  readonly #store: PasswordStore;
  readonly #sealer: Sealer;

  constructor(store: PasswordStore, sealer: Sealer) {
    this.#store = store;
    this.#sealer = sealer;
  }

  seal(nsId: string, gbid: string, password: string): SealedSecret {
    return this.#sealer.seal(password, belongsTo(nsId, gbid));
  }

  open(device: SealedPassword): string {
    const sealed = { bytes: device.sealed_password, masterKey: device.master_key };
    try {
      return this.#sealer.open(sealed, belongsTo(device.ns_id, device.gbid));
    } catch (cause) {
      if (!(cause instanceof SealError)) throw cause;
      throw new Fault('serverFailure', {
        detail: `the password of device ${device.gbid} cannot be opened`,
        cause,
      });
    }
  }

  /** Wraps all of them with the current master key; returns how many needed it. */
  async rotate(): Promise<number> {
    let count = 0;
    for (;;) {
      const rows = await this.#store.underOtherMasters(this.#sealer.currentMasterKey, PASSWORDS_BATCH);
      if (rows.length === 0) return count;
      const sealed = rows.map(({ ns_id, gbid, sealed_password: bytes, master_key: masterKey }) =>
        this.#sealer.rewrap({ bytes, masterKey }, belongsTo(ns_id, gbid)),
      );
      count += await this.#store.rewrap(rows, sealed);
    }
  }
}

function belongsTo(nsId: string, gbid: string): string {
  return `device ${nsId}/${gbid}`;
}
