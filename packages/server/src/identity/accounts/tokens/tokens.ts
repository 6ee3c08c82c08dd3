/**
 * Access and refresh tokens. `sliding`: a refresh returns the same refresh token, valid for another 30 days. `rotate`: it
 * returns a new one, derived from the old one with a server key, so that concurrent refreshes, and retries after a lost
 * answer, get the same pair; using an old one after its grace period ends the family.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Fault, type WireRecord } from '@millpond/protocol';
import { StaleIfErrorCache } from '../../../platform/cache.ts';
import { REPLACED_TOKEN_SECONDS } from '../../limits.ts';
import type { FamilyRow, TokenStore } from './token.store.ts';

export type TokenPair = WireRecord<'AccessToken'>;

export interface TokenOptions {
  readonly accessSeconds: number;
  readonly rotation: 'sliding' | 'rotate';
  /** Keys to derive from, current one first; the others serve answers that were under way during a key exchange. */
  readonly derivationKeys: readonly Buffer[];
  readonly freshMs: number;
  readonly staleMs: number;
}

export interface Refreshed {
  readonly pair: TokenPair;
  readonly uid: bigint;
}

/** What an access token represents. */
export type AccessToken = { readonly uid: bigint } | 'expired';

interface CachedToken {
  readonly uid: bigint;
  /** On this process's monotonic clock, computed from the remaining time that the database reported. */
  readonly expiresAt: number;
}

export class Tokens {
  readonly #store: TokenStore;
  readonly #options: TokenOptions;
  readonly #accessTokens: StaleIfErrorCache<CachedToken>;

  constructor(store: TokenStore, options: TokenOptions) {
    this.#store = store;
    this.#options = options;
    this.#accessTokens = new StaleIfErrorCache({
      freshMs: options.freshMs,
      staleMs: options.staleMs,
      entries: 50_000,
      async load(hash) {
        const asked = performance.now();
        const row = await store.access(Buffer.from(hash, 'base64'));
        return row && { uid: row.uid, expiresAt: asked + row.remaining_ms };
      },
    });
  }

  /** `passwordHash`: the hash that was compared, for a log-in by password. */
  async begin(uid: bigint, address: string, passwordHash?: string): Promise<TokenPair> {
    const pair = this.#pair(newToken(), newToken());
    const hashes = [hashOf(pair.refresh_token), hashOf(pair.access_token)] as const;
    const hasBegun = await this.#store.begin({ uid, passwordHash }, ...hashes, pair.expires_in, address);
    if (!hasBegun) throw new Fault('failedAuthentication');
    return pair;
  }

  async refresh(refreshToken: string, address: string): Promise<Refreshed> {
    const refreshed =
      this.#options.rotation === 'rotate'
        ? await this.#rotate(refreshToken, address)
        : await this.#slide(refreshToken, address);
    if (refreshed !== undefined) return refreshed;
    const family = await this.#store.family(hashOf(refreshToken));
    return this.#explain(family, refreshToken);
  }

  /** Undefined: not one of our tokens, or revoked, or its account is disabled. */
  async find(accessToken: string): Promise<AccessToken | undefined> {
    const token = await this.#accessTokens.get(hashOf(accessToken).toString('base64'));
    if (token === undefined) return undefined;
    // Judged here, not when it was read: a cached token still expires on time.
    return token.expiresAt <= performance.now() ? 'expired' : { uid: token.uid };
  }

  forgetExpired(): Promise<number> {
    return this.#store.forgetExpired();
  }

  async #slide(refreshToken: string, address: string): Promise<Refreshed | undefined> {
    const pair = this.#pair(newToken(), refreshToken);
    const hashes = [hashOf(refreshToken), hashOf(pair.access_token)] as const;
    const row = await this.#store.slide(...hashes, pair.expires_in, address);
    return row && { pair, uid: row.uid };
  }

  async #rotate(refreshToken: string, address: string): Promise<Refreshed | undefined> {
    const [key] = this.#options.derivationKeys;
    if (key === undefined) throw new Error('there is no key to derive tokens from');
    const pair = this.#derivedPair(refreshToken, key);
    const hashes = {
      old: hashOf(refreshToken),
      next: hashOf(pair.refresh_token),
      access: hashOf(pair.access_token),
    };
    const row = await this.#store.rotate(hashes, pair.expires_in, REPLACED_TOKEN_SECONDS, address);
    return row && { pair, uid: row.uid };
  }

  /** A refresh that found no usable family: repeats the answer within the grace period, or gives the proper refusal. */
  async #explain(family: FamilyRow | undefined, refreshToken: string): Promise<Refreshed> {
    if (family === undefined || family.revoked) throw new Fault('invalidToken');
    if (family.account_disabled) throw new Fault('failedAuthentication');
    if (family.expired) throw new Fault('tokenExpired');
    if (!family.is_previous)
      throw new Fault('failedRequest', {
        detail: 'a refresh lost a race against a change',
        retryAfterSeconds: 1,
      });
    if (!family.previous_usable) {
      await this.#store.revoke(family.family_id);
      throw new RefreshTokenReusedFault(family.uid);
    }
    const again = this.#options.derivationKeys
      .map((key) => this.#derivedPair(refreshToken, key))
      .find((pair) => hashOf(pair.refresh_token).equals(family.refresh_hash));
    const access = again && (await this.#store.access(hashOf(again.access_token)));
    if (again === undefined || access === undefined) throw new Fault('invalidToken');
    const seconds = Math.max(0, Math.floor(access.remaining_ms / 1000));
    return { pair: { ...again, expires_in: seconds }, uid: family.uid };
  }

  #derivedPair(refreshToken: string, key: Buffer): TokenPair {
    return this.#pair(derived(key, 'access', refreshToken), derived(key, 'refresh', refreshToken));
  }

  #pair(accessToken: string, refreshToken: string): TokenPair {
    return {
      access_token: accessToken,
      expires_in: this.#options.accessSeconds,
      refresh_token: refreshToken,
    };
  }
}

/** A refresh token was used after its successor: two parties hold it, so nobody may continue with it. */
export class RefreshTokenReusedFault extends Fault {
  readonly uid: bigint;

  constructor(uid: bigint) {
    super('invalidToken', { detail: 'a rotated refresh token was used again' });
    this.uid = uid;
  }
}

/** 32 random bytes. No token contains a colon, so none can be mistaken for a signature. */
function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function derived(key: Buffer, purpose: string, refreshToken: string): string {
  return createHmac('sha256', key).update(`${purpose} after ${refreshToken}`).digest('base64url');
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
