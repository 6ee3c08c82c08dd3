/** The secrets that an account's receivers use to verify what we send, created when first needed. */
import { randomBytes } from 'node:crypto';
import { StaleIfErrorCache } from '../../../platform/cache.ts';
import type { SealedSecret, Sealer } from '../../../platform/secrets/sealer.ts';
import type { WebhookSecretRow, WebhookSecretStore } from './webhook-secret.store.ts';

const PREFIX = 'whsec_';
const ROTATION_BATCH = 1000;

export interface WebhookSecret {
  readonly id: bigint;
  /** In the form `whsec_<base64>`. */
  readonly secret: string;
  readonly created: Date;
  /** When it ends; undefined for the current one. */
  readonly retires: Date | undefined;
}

export class WebhookSecrets {
  readonly #store: WebhookSecretStore;
  readonly #sealer: Sealer;
  readonly #cache: StaleIfErrorCache<readonly string[]>;

  constructor(store: WebhookSecretStore, sealer: Sealer, times: { freshMs: number; staleMs: number }) {
    this.#store = store;
    this.#sealer = sealer;
    this.#cache = new StaleIfErrorCache({
      ...times,
      entries: 50_000,
      load: (uid) => this.#load(BigInt(uid)),
    });
  }

  /** In the form `whsec_<base64>`, newest first; all of them sign. */
  async of(uid: bigint): Promise<readonly string[]> {
    return (await this.#cache.get(uid.toString())) ?? [];
  }

  async #load(uid: bigint): Promise<readonly string[]> {
    return (await this.list(uid)).map(({ secret }) => secret);
  }

  /** The same, uncached, with their creation and end times. */
  async list(uid: bigint): Promise<readonly WebhookSecret[]> {
    let rows = await this.#store.valid(uid);
    if (rows.length === 0) {
      await this.#store.insertFirst(this.#make(uid));
      rows = await this.#store.valid(uid);
    }
    return rows.map((row) => ({
      id: row.secret_id,
      secret: this.#open(row),
      created: row.created_at,
      retires: row.retires_at ?? undefined,
    }));
  }

  /** Creates a new secret; the old one also signs for `keepOldMs`, so that receivers can switch over. */
  async exchange(uid: bigint, keepOldMs: number): Promise<readonly WebhookSecret[]> {
    await this.#store.replace(this.#make(uid), keepOldMs);
    this.#cache.forget(uid.toString());
    return this.list(uid);
  }

  #make(uid: bigint): WebhookSecretRow {
    const sealed = this.#sealer.seal(PREFIX + randomBytes(32).toString('base64'), ownerOf(uid));
    return { uid, sealed_secret: sealed.bytes, master_key: sealed.masterKey };
  }

  /** Rewraps every secret with the current master key, while deliveries go on. */
  async rotateMasterKey(): Promise<number> {
    const current = this.#sealer.currentMasterKey;
    let done = 0;
    for (;;) {
      const rows = await this.#store.notUnder(current, ROTATION_BATCH);
      if (rows.length === 0) return done;
      const sealed = rows.map((row) => this.#sealer.rewrap(sealedOf(row), ownerOf(row.uid)).bytes);
      done += await this.#store.rewrap(rows, sealed, current);
    }
  }

  #open(row: WebhookSecretRow): string {
    return this.#sealer.open(sealedOf(row), ownerOf(row.uid));
  }
}

function sealedOf(row: WebhookSecretRow): SealedSecret {
  return { bytes: row.sealed_secret, masterKey: row.master_key };
}

function ownerOf(uid: bigint): string {
  return `webhook secret of ${uid}`;
}
