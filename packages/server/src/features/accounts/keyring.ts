/**
 * Access keys for the verification of signatures: read from the control database, trusted for a few seconds, and
 * served on for minutes while that database is away.
 */
import { BriefCache } from '../../platform/cache.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { ownerOf } from './service.ts';
import type { AccountStore } from './store.ts';

export interface AccessKey {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly uid: bigint;
  readonly kind: 'root' | 'user';
}

export class Keyring {
  readonly #cache: BriefCache<AccessKey>;

  constructor(store: AccountStore, sealer: Sealer, times: { freshMs: number; staleMs: number }) {
    this.#cache = new BriefCache({
      ...times,
      entries: 50_000,
      async load(accessKey) {
        const row = await store.key(accessKey);
        if (row === undefined || !row.is_enabled || row.account_disabled) return undefined;
        const sealed = { bytes: row.sealed_secret, masterKey: row.master_key };
        const secretKey = sealer.open(sealed, ownerOf(row.uid, accessKey));
        return { accessKey, secretKey, uid: row.uid, kind: row.kind };
      },
    });
  }

  /** Undefined when there is no such key, or it or its account is disabled. */
  async find(accessKey: string): Promise<AccessKey | undefined> {
    return this.#cache.peek(accessKey) ?? (await this.#cache.get(accessKey));
  }
}
