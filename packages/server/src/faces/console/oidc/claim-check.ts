/**
 * Whether the claim that gave a session its rights still gives them. The provider is asked again while the session is used: whoever lost
 * the group is out. A provider that can't be reached keeps people in for five minutes, and not longer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import type { SessionRow, Sessions } from '../../../identity/accounts/index.ts';
import { SealError, type Sealer } from '../../../platform/secrets/sealer.ts';
import { SingleFlight } from '../../../platform/single-flight.ts';
import { type MappingSettings, rightsFromClaims } from './claim-mapping.ts';
import type { Provider, ProviderTokens, SignedIn } from './provider.ts';
import type { ProviderTokenStore } from './provider-token.store.ts';
import { SignInError } from './sign-in-error.ts';

export interface ClaimCheckDeps {
  readonly provider: Provider;
  readonly store: ProviderTokenStore;
  readonly sessions: Sessions;
  readonly sealer: Sealer;
  readonly log: Log;
}

/** Settings by name. */
export interface ClaimCheckSettings extends MappingSettings {
  readonly oidcIssuer: string | undefined;
  readonly oidcCheckEvery: number;
}

type Outcome = 'holds' | 'lost' | 'unknown';

/** How long the last answer holds beyond its time, while the provider is away. */
const PATIENCE_MS = 300_000;
/** Between two questions that had no answer. */
const REST_MS = 10_000;
const CHECK_INTERVAL_MS = 200;
const LOOK_FOR_MS = 20_000;
const MAX_CACHED = 10_000;

interface CachedTokens extends ProviderTokens {
  /** As the settings named it: its tokens are for no other. */
  readonly provider: string | undefined;
  readonly issuer: string;
  readonly subject: string;
}

export class ClaimCheck {
  readonly #deps: ClaimCheckDeps;
  readonly #settings: ClaimCheckSettings;
  readonly #asking = new SingleFlight<Outcome>();
  /** When each was confirmed here, on this process's monotonic clock: what is cached of the session is older. */
  readonly #confirmed = new Map<string, number>();

  constructor(deps: ClaimCheckDeps, settings: ClaimCheckSettings) {
    this.#deps = deps;
    this.#settings = settings;
  }

  /**
   * How long a session lasts if nothing can be asked: as long as the ID token. Undefined where the provider will be asked again, which
   * takes a refresh token, or user info that has the claim.
   */
  holdsMs(signedIn: SignedIn): number | undefined {
    const canBeAsked = signedIn.tokens.refreshToken !== undefined || this.#isInUserInfo(signedIn);
    return canBeAsked ? undefined : signedIn.holdsMs;
  }

  /** Call this for a new session about which the provider will be asked again. */
  async keep(sessionId: string, signedIn: SignedIn): Promise<void> {
    const { issuer, subject } = signedIn.claims;
    const isInUserInfo = this.#isInUserInfo(signedIn);
    const provider = this.#settings.oidcIssuer;
    const kept = { provider, issuer, subject, isInUserInfo, ...signedIn.tokens };
    const { bytes, masterKey } = this.#seal(sessionId, kept);
    await this.#deps.store.add(sessionId, bytes, masterKey);
  }

  async holds(row: SessionRow): Promise<boolean> {
    if (this.#settings.oidcRightsClaim === undefined) return false;
    if (row.unconfirmed_ms === null) return true;
    const confirmedAt = this.#confirmed.get(row.session_id) ?? Number.NEGATIVE_INFINITY;
    const age = Math.min(row.unconfirmed_ms, performance.now() - confirmedAt);
    if (age < this.#settings.oidcCheckEvery) return true;
    const outcome = await this.#asking
      .join(row.session_id, new AbortController().signal, () => this.#ask(row))
      .catch(unknownIfAway);
    return (
      outcome === 'holds' || (outcome === 'unknown' && age < this.#settings.oidcCheckEvery + PATIENCE_MS)
    );
  }

  #isInUserInfo({ claims: { idToken, userInfo } }: SignedIn): boolean {
    const claim = this.#settings.oidcRightsClaim ?? '';
    return Object.hasOwn(userInfo, claim) && !Object.hasOwn(idToken, claim);
  }

  async #ask(row: SessionRow): Promise<Outcome> {
    const { store } = this.#deps;
    const { session_id: id } = row;
    for (const end = performance.now() + LOOK_FOR_MS; ; await sleep(CHECK_INTERVAL_MS)) {
      const turn = await store.take(id, this.#settings.oidcCheckEvery);
      if (typeof turn === 'object') return this.#askProvider(row, turn.sealed_tokens, turn.master_key);
      if (turn === 'done') return this.#remember(id);
      if (turn === 'gone') return this.#lose(row, 'there is nothing to ask the provider with');
      if (turn === 'resting' || performance.now() > end) return 'unknown';
    }
  }

  async #askProvider(row: SessionRow, bytes: Buffer, masterKey: string): Promise<Outcome> {
    const { provider, store, log } = this.#deps;
    const { session_id: id } = row;
    const cachedTokens = this.#open(id, bytes, masterKey);
    if (cachedTokens === undefined) return this.#lose(row, 'the master key that sealed its tokens is gone');
    if (cachedTokens.provider !== this.#settings.oidcIssuer)
      return this.#lose(row, 'another provider gave its rights');
    try {
      const now = await provider.saysNow(cachedTokens, cachedTokens);
      const rights = rightsFromClaims(now.claims, this.#settings);
      if (rights?.accessKey !== (row.access_key ?? undefined) || rights?.isOperator !== row.is_operator)
        return await this.#lose(row, 'the claim gives other rights');
      const sealed = this.#seal(id, { ...cachedTokens, ...now.tokens });
      await store.confirm(id, sealed.bytes, sealed.masterKey);
      return this.#remember(id);
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      const { refusal, message } = error;
      if (refusal !== 'providerAway') return this.#lose(row, `${refusal}: ${message}`);
      log.warn(
        { session: id, why: message },
        'the provider does not say whether a session still has its rights',
      );
      await store.rest(id, REST_MS);
      return 'unknown';
    }
  }

  #remember(id: string): Outcome {
    this.#confirmed.delete(id);
    this.#confirmed.set(id, performance.now());
    const [oldest] = this.#confirmed.keys();
    if (this.#confirmed.size > MAX_CACHED && oldest !== undefined) this.#confirmed.delete(oldest);
    return 'holds';
  }

  async #lose({ session_id: id, uid }: SessionRow, why: string): Promise<Outcome> {
    const { sessions, log } = this.#deps;
    log.warn({ session: id, why }, 'a session ends: the provider no longer gives its rights');
    await sessions.end(uid, id, { name: 'identity provider', address: 'local', reqid: '' });
    return 'lost';
  }

  #seal(sessionId: string, cachedTokens: CachedTokens) {
    return this.#deps.sealer.seal(JSON.stringify(cachedTokens), belongsTo(sessionId));
  }

  /** Undefined if its master key is gone, or another one has its name. */
  #open(sessionId: string, bytes: Buffer, masterKey: string): CachedTokens | undefined {
    try {
      return JSON.parse(this.#deps.sealer.open({ bytes, masterKey }, belongsTo(sessionId))) as CachedTokens;
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }
}

/** While the database is away, sessions go on as they were last known. */
function unknownIfAway(error: unknown): Outcome {
  if (error instanceof Fault) return 'unknown';
  throw error;
}

/** Binds the tokens to their session: they open for no other. */
function belongsTo(sessionId: string): string {
  return `provider tokens of session ${sessionId}`;
}
