/** Access keys of accounts: creating, sealing, showing, enabling and disabling them. */
import { randomBytes } from 'node:crypto';
import { Fault, type KeyLimits } from '@millpond/protocol';
import type { Database, Queryable, Transaction } from '../../../platform/db/database.ts';
import type { Sealer } from '../../../platform/secrets/sealer.ts';
import { type KeyKind, type KeyRow, KeyStore, type SealedKey } from './key.store.ts';

/** Two at a time, so that a key can be replaced without a gap. */
const KEYS_PER_ACCOUNT = 2;
/** Besides them: one for each program or person that gets a key with limits. */
const LIMITED_KEYS_PER_ACCOUNT = 100;
const MAX_NOTE_LENGTH = 100;
const ROTATION_BATCH = 1000;

export interface NewKey {
  readonly accessKey: string;
  /** Shown only once, by commands; sealed afterwards. */
  readonly secretKey: string;
}

/** What a new key may do. */
export interface KeyRights {
  readonly kind: KeyKind;
  readonly limits?: KeyLimits | undefined;
  /** What it is for, in its owner's words. */
  readonly note?: string | undefined;
}

export class Keys {
  readonly #store: KeyStore;
  readonly #sealer: Sealer;

  constructor(store: KeyStore, sealer: Sealer) {
    this.#store = store;
    this.#sealer = sealer;
  }

  /** `given` is for development, where programs should find the same key each time. */
  async create(
    uid: bigint,
    { kind, limits, note }: KeyRights,
    on: Transaction,
    given?: NewKey,
  ): Promise<NewKey> {
    if (note !== undefined) assertNote(note);
    const key = given ?? { accessKey: randomText(), secretKey: randomText() };
    const sealed = this.#sealer.seal(key.secretKey, ownerOf(uid, key.accessKey));
    const row = {
      access_key: key.accessKey,
      uid,
      kind,
      limits,
      note,
      sealed_secret: sealed.bytes,
      master_key: sealed.masterKey,
    };
    if (!(await this.#store.insert(row, mostKeys(limits), on))) throw tooMany(limits);
    return key;
  }

  /** Undefined takes all limits away. Hold the account's keys before. */
  async setLimits(accessKey: string, limits: KeyLimits | undefined, on: Transaction): Promise<void> {
    if (!(await this.#store.setLimits(accessKey, limits, mostKeys(limits), on))) throw tooMany(limits);
  }

  list(uid: bigint): Promise<KeyRow[]> {
    return this.#store.ofAccount(uid);
  }

  /** The account's keys, locked until the transaction ends. */
  hold(uid: bigint, on: Transaction): Promise<KeyRow[]> {
    return this.#store.hold(uid, on);
  }

  /** The keys of the account that has this one, locked until the transaction ends. */
  async holdOwnerOf(accessKey: string, on: Transaction): Promise<KeyRow[]> {
    const uid = await this.#store.ownerOf(accessKey, on);
    if (uid === undefined) throw new Fault('recordNotFound', { hint: `there is no access key ${accessKey}` });
    return this.#store.hold(uid, on);
  }

  remove(accessKey: string, on: Queryable): Promise<void> {
    return this.#store.remove(accessKey, on);
  }

  /** Only disabled keys: disabling shows who still uses a key and can be undone; removal can't. */
  async removeDisabled(accessKey: string, on: Queryable): Promise<void> {
    if (!(await this.#store.removeDisabled(accessKey, on)))
      throw new Fault('recordNotFound', {
        hint: `there is no disabled access key ${accessKey}: disable it first`,
      });
  }

  secretOf(key: SealedKey): string {
    return openSecret(this.#sealer, key);
  }

  /** Returns the account it belongs to. */
  async setEnabled(accessKey: string, isEnabled: boolean, on: Queryable): Promise<bigint> {
    const uid = await this.#store.setEnabled(accessKey, isEnabled, on);
    if (uid === undefined) throw new Fault('recordNotFound', { hint: `there is no access key ${accessKey}` });
    return uid;
  }

  /** Rewraps every secret with the current master key, while requests go on. Reports progress along the way. */
  async rotateMasterKey(report: (done: number) => void): Promise<number> {
    const current = this.#sealer.currentMasterKey;
    let done = 0;
    for (;;) {
      const keys = await this.#store.sealedByOtherMasters(current, ROTATION_BATCH);
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

function assertNote(note: string): void {
  if (note.length > MAX_NOTE_LENGTH || /\p{Cc}/u.test(note))
    throw new Fault('badRequest', { hint: `a note is one line of at most ${MAX_NOTE_LENGTH} characters` });
}

function mostKeys(limits: KeyLimits | undefined): number {
  return limits === undefined ? KEYS_PER_ACCOUNT : LIMITED_KEYS_PER_ACCOUNT;
}

function tooMany(limits: KeyLimits | undefined): Fault {
  const words = limits === undefined ? 'without limits' : 'with limits';
  return new Fault('badRequest', {
    hint: `an account may have at most ${mostKeys(limits)} access keys ${words}`,
  });
}

export function openSecret(sealer: Sealer, key: SealedKey): string {
  return sealer.open(
    { bytes: key.sealed_secret, masterKey: key.master_key },
    ownerOf(key.uid, key.access_key),
  );
}

/** Qiniu's form: 0 enabled, 1 disabled. */
export function keyState(key: KeyRow): 0 | 1 {
  return key.is_enabled ? 0 : 1;
}

/** Describes problems with the configured master keys: one that seals access keys is missing, or has different bytes. */
export async function lostMasterKeys(control: Database, sealer: Sealer): Promise<string[]> {
  const lost: string[] = [];
  for (const sample of await new KeyStore(control).mastersInUse()) {
    try {
      openSecret(sealer, sample);
    } catch {
      const reason = sealer.has(sample.master_key)
        ? 'configured with different bytes than those that sealed'
        : 'not configured, but in use:';
      lost.push(`${reason} "${sample.master_key}" (${sample.keys} access keys)`);
    }
  }
  return lost;
}

/** Binds a sealed secret to its row: it opens for no other row. */
function ownerOf(uid: bigint, accessKey: string): string {
  return `access key ${accessKey} of ${uid}`;
}

/** 40 characters of the URL-safe alphabet, 240 bits. None starts with a hyphen: commands would take it for an option. */
function randomText(): string {
  for (;;) {
    const text = randomBytes(30).toString('base64url');
    if (!text.startsWith('-')) return text;
  }
}
