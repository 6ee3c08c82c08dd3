/** Accounts and their access keys, as an operator makes them. */
import { randomBytes } from 'node:crypto';
import { Fault } from '@millpond/protocol';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { AccountRow, AccountStore, SealedKey } from './store.ts';

/** Two at a time, so that a key can be exchanged without a gap. */
const KEYS_PER_ACCOUNT = 2;
const ROTATION_BATCH = 1000;

export interface NewKey {
  readonly accessKey: string;
  /** Shown this once; afterwards it is only there sealed. */
  readonly secretKey: string;
}

export class Accounts {
  readonly #store: AccountStore;
  readonly #sealer: Sealer;

  constructor(store: AccountStore, sealer: Sealer) {
    this.#store = store;
    this.#sealer = sealer;
  }

  async create(email: string): Promise<AccountRow> {
    if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email)) throw new Fault('invalidEmail');
    const account = await this.#store.insertAccount(email);
    if (account === undefined) throw new Fault('recordExists', { hint: 'the e-mail has an account' });
    return account;
  }

  async createKey(email: string, kind: 'root' | 'user'): Promise<NewKey> {
    const account = await this.#store.accountByEmail(email);
    if (account === undefined) throw new Fault('recordNotFound', { hint: 'no account has this e-mail' });
    const key = { accessKey: randomText(), secretKey: randomText() };
    const sealed = this.#sealer.seal(key.secretKey, ownerOf(account.uid, key.accessKey));
    const row = {
      access_key: key.accessKey,
      uid: account.uid,
      sealed_secret: sealed.bytes,
      master_key: sealed.masterKey,
    };
    if (!(await this.#store.insertKey({ ...row, kind }, KEYS_PER_ACCOUNT))) {
      throw new Fault('badRequest', {
        hint: `an account may have ${KEYS_PER_ACCOUNT} access keys: remove one first`,
      });
    }
    return key;
  }

  /** Wraps every secret with the current master key, while requests go on. Reports how many are done as it goes. */
  async rotateMasterKey(report: (done: number) => void): Promise<number> {
    const current = this.#sealer.currentMasterKey;
    let done = 0;
    for (;;) {
      const keys = await this.#store.keysNotUnder(current, ROTATION_BATCH);
      if (keys.length === 0) return done;
      const sealed = keys.map((key) => this.#rewrapped(key));
      done += await this.#store.rewrap(keys, sealed, current);
      report(done);
    }
  }

  #rewrapped(key: SealedKey): Buffer {
    const sealed = { bytes: key.sealed_secret, masterKey: key.master_key };
    return this.#sealer.rewrap(sealed, ownerOf(key.uid, key.access_key)).bytes;
  }
}

/** What a sealed secret belongs to: it opens for no other row. */
export function ownerOf(uid: bigint, accessKey: string): string {
  return `access key ${accessKey} of ${uid}`;
}

/** 40 characters of the URL-safe alphabet, 240 bits. */
function randomText(): string {
  return randomBytes(30).toString('base64url');
}
