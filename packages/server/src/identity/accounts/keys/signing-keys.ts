/**
 * The keys that sign events to an account's receivers: the requested key while it is enabled, otherwise the oldest enabled
 * root key without limits. Also for disabled accounts: promised events are still sent.
 */
import { StaleIfErrorCache } from '../../../platform/cache.ts';
import type { Sealer } from '../../../platform/secrets/sealer.ts';
import type { KeyKind, KeyStore } from './key.store.ts';
import { openSecret } from './keys.ts';

interface SigningKey {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly kind: KeyKind;
  readonly isLimited: boolean;
}

export class SigningKeys {
  readonly #cache: StaleIfErrorCache<readonly SigningKey[]>;

  constructor(store: KeyStore, sealer: Sealer, times: { freshMs: number; staleMs: number }) {
    this.#cache = new StaleIfErrorCache({
      ...times,
      entries: 50_000,
      async load(uid) {
        const rows = await store.ofAccount(BigInt(uid));
        return rows
          .filter((row) => row.is_enabled)
          .map((row) => ({
            accessKey: row.access_key,
            secretKey: openSecret(sealer, row),
            kind: row.kind,
            isLimited: row.limits !== null,
          }));
      },
    });
  }

  /** Undefined if the account has no enabled key that could sign. */
  async of(uid: bigint, accessKey: string | undefined): Promise<SigningKey | undefined> {
    const keys = (await this.#cache.get(uid.toString())) ?? [];
    const named = keys.find((key) => key.accessKey === accessKey);
    if (named !== undefined) return named;
    // The key made a request, so it exists: perhaps it was created after these were read.
    const current = accessKey === undefined ? keys : ((await this.#cache.getNew(uid.toString())) ?? []);
    return (
      current.find((key) => key.accessKey === accessKey) ??
      current.find((key) => key.kind === 'root' && !key.isLimited)
    );
  }
}
