/**
 * Access keys for verifying signatures: read from the control database, trusted for a few seconds, and served for
 * minutes more while that database is away.
 */
import { currentTrace } from '@millpond/base';
import { type KeyLimits, parseKeyLimits } from '@millpond/protocol';
import { StaleIfErrorCache } from '../../../platform/cache.ts';
import type { Sealer } from '../../../platform/secrets/sealer.ts';
import type { AccessKey } from '../../../platform/web/index.ts';
import type { Tenants } from '../tenants.ts';
import type { KeyStore } from './key.store.ts';
import { KeyUseRecorder } from './key-use-recorder.ts';
import { openSecret } from './keys.ts';

export type { AccessKey };

/** Valid access keys: ours have 40 of these characters; an operator may have brought others. */
const ACCESS_KEY = /^[A-Za-z0-9_-]{1,128}$/;

export class Keyring {
  readonly #store: KeyStore;
  readonly #cache: StaleIfErrorCache<AccessKey>;
  readonly uses: KeyUseRecorder;

  constructor(
    store: KeyStore,
    sealer: Sealer,
    times: { freshMs: number; staleMs: number },
    tenants?: Pick<Tenants, 'note'>,
  ) {
    this.#store = store;
    this.uses = new KeyUseRecorder(store);
    this.#cache = new StaleIfErrorCache({
      ...times,
      entries: 50_000,
      async load(accessKey) {
        const row = await store.usable(accessKey);
        const limits = limitsOf(row?.limits ?? null);
        if (row === undefined || limits === 'unreadable') return undefined;
        tenants?.note({ uid: row.uid, parentUid: row.parent_uid });
        return {
          accessKey,
          secretKey: openSecret(sealer, row),
          uid: row.uid,
          parentUid: row.parent_uid,
          kind: row.kind,
          oldSigning: row.old_signing,
          dateRequired: row.date_required,
          limits,
        };
      },
    });
  }

  /** Undefined if there is no such key, or if it or its account is disabled. */
  async find(accessKey: string): Promise<AccessKey | undefined> {
    if (!ACCESS_KEY.test(accessKey)) return undefined;
    return this.#cache.peek(accessKey) ?? (await this.#cache.get(accessKey));
  }

  /** The same for a key that has made a request: a cached miss is not trusted. */
  async findUsed(accessKey: string): Promise<AccessKey | undefined> {
    return (
      (await this.find(accessKey)) ?? (ACCESS_KEY.test(accessKey) ? this.#cache.getNew(accessKey) : undefined)
    );
  }

  /** Call this when the key is proven to be the caller's. */
  used({ accessKey, uid }: AccessKey, address: string): void {
    this.uses.note(accessKey, address);
    const trace = currentTrace();
    trace?.authenticatedAs(uid, accessKey);
    trace?.since('auth', 'signature', true);
  }

  /** Call this after a change of the key, so that this gateway knows it at once. */
  forget(accessKey: string): void {
    this.#cache.forget(accessKey);
  }

  /** The key that signs for an account if no key made the call: its oldest enabled root key without limits. */
  async rootOf(uid: bigint): Promise<AccessKey | undefined> {
    const keys = await this.#store.ofAccount(uid);
    const oldest = keys.find((row) => row.kind === 'root' && row.is_enabled && row.limits === null);
    return oldest && this.findUsed(oldest.access_key);
  }
}

/** Null stands for none. Limits that this version can't read, say those of a newer one, make the key useless here rather than unlimited. */
function limitsOf(stored: unknown): KeyLimits | undefined | 'unreadable' {
  if (stored === null) return undefined;
  try {
    return parseKeyLimits(stored);
  } catch {
    return 'unreadable';
  }
}
