/**
 * Sessions of the console: begun by a password or by another provider's word, renewed by use, ended by either side. A session
 * has the rights of its account, or those of one of its keys only. Everything of it but the cookie may be shown.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Fault } from '@millpond/protocol';
import { StaleIfErrorCache } from '../../../platform/cache.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { RequestContext } from '../../../platform/web/index.ts';
import { type Actor, auditActorFields } from '../account-changes.ts';
import type { Audit, AuditAction } from '../audit.store.ts';
import type {
  NewSession,
  SessionLifetimes,
  SessionRow,
  SessionStore,
  UsableSessionRow,
} from './sessions.store.ts';

export interface SessionDeps {
  readonly control: Database;
  readonly store: SessionStore;
  readonly audit: Audit;
}

export interface SessionOptions extends SessionLifetimes {
  readonly freshMs: number;
  readonly staleMs: number;
}

/** Session to create; address and user agent come from the request. */
export type SigningIn = Omit<NewSession, 'address' | 'agent'>;

export interface CreatedSession {
  readonly id: string;
  /** For the browser alone. */
  readonly cookie: string;
  /** The longest that it may be used. */
  readonly lifeSeconds: number;
}

interface CachedSession {
  readonly row: UsableSessionRow;
  /** This and the others on this process's monotonic clock. */
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly usedAt: number;
}

const MAX_USER_AGENT_LENGTH = 256;
/** The use of a session is written down this often at most. */
const RENEWAL_INTERVAL_MS = 60_000;
/** Form of our cookies; others need not be looked for. */
const COOKIE = /^[A-Za-z0-9_-]{43}$/;
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class Sessions {
  readonly #deps: SessionDeps;
  readonly #options: SessionOptions;
  readonly #cache: StaleIfErrorCache<CachedSession>;

  constructor(deps: SessionDeps, options: SessionOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#cache = new StaleIfErrorCache({
      freshMs: options.freshMs,
      staleMs: options.staleMs,
      entries: 50_000,
      async load(hash) {
        const asked = performance.now();
        const row = await deps.store.usable(Buffer.from(hash, 'base64'));
        return (
          row && { row, askedAt: asked, expiresAt: asked + row.remaining_ms, usedAt: asked - row.unused_ms }
        );
      },
    });
  }

  /** The caller has proved who signs in. Refusals of that proof are the caller's to write down. */
  async begin(who: SigningIn, context: RequestContext): Promise<CreatedSession> {
    const { store, audit } = this.#deps;
    const cookie = randomBytes(32).toString('base64url');
    const origin = { address: context.peer.address, reqid: context.reqid };
    const agent = (context.header('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH);
    const id = await store.begin(hashOf(cookie), { ...who, address: origin.address, agent }, this.#options);
    if (id === undefined) throw new Fault('failedAuthentication');
    const act = { ...origin, actorUid: who.uid, actor: `console:${who.name}`, target: id, result: 'ok' };
    await audit.record({ ...act, action: 'session.begin' });
    return { id, cookie, lifeSeconds: Math.floor(this.#options.maxMs / 1000) };
  }

  /** Undefined: not one of our cookies, or the session has ended. Its use is noted. */
  async find(cookie: string, address: string): Promise<SessionRow | undefined> {
    if (!COOKIE.test(cookie)) return undefined;
    const key = keyOf(hashOf(cookie));
    const session = await this.#cache.get(key);
    const now = performance.now();
    // Judged here, not when it was read: a cached session still ends on time.
    if (session === undefined || session.expiresAt <= now) return undefined;
    const { row, askedAt, usedAt } = session;
    if (now - usedAt > this.#renewedEveryMs) await this.#renew(key, row, address);
    if (row.unconfirmed_ms === null) return row;
    return { ...row, unconfirmed_ms: row.unconfirmed_ms + now - askedAt };
  }

  /** As it is now, by the database's clock. */
  async findUncached(cookie: string): Promise<UsableSessionRow | undefined> {
    return COOKIE.test(cookie) ? this.#deps.store.usable(hashOf(cookie)) : undefined;
  }

  list(uid: bigint): Promise<SessionRow[]> {
    return this.#deps.store.ofAccount(uid);
  }

  /** False if the account has no such session. */
  async end(uid: bigint, id: string, actor: Actor): Promise<boolean> {
    const { control, store } = this.#deps;
    if (!SESSION_ID.test(id)) return false;
    const hash = await control.transaction(async (transaction) => {
      const ended = await store.end(uid, id, transaction);
      if (ended !== undefined) await this.#deps.audit.record(actOf(actor, 'session.end', id), transaction);
      return ended;
    });
    if (hash !== undefined) this.#cache.forget(keyOf(hash));
    return hash !== undefined;
  }

  /** All but one, or all; returns how many. */
  async endOthers(uid: bigint, but: string | undefined, actor: Actor): Promise<number> {
    const { control, store, audit } = this.#deps;
    const hashes = await control.transaction(async (transaction) => {
      const ended = await store.endOthers(uid, but, transaction);
      const target = `${ended.length} sessions`;
      if (ended.length > 0) await audit.record(actOf(actor, 'session.end', target), transaction);
      return ended;
    });
    for (const hash of hashes) this.#cache.forget(keyOf(hash));
    return hashes.length;
  }

  forgetExpired(): Promise<number> {
    return this.#deps.store.forgetExpired();
  }

  get #renewedEveryMs(): number {
    return Math.min(RENEWAL_INTERVAL_MS, this.#options.idleMs / 2);
  }

  async #renew(key: string, { session_id }: SessionRow, address: string): Promise<void> {
    try {
      await this.#deps.store.renew(session_id, this.#options.idleMs, address);
      this.#cache.forget(key);
    } catch (error) {
      // While the database is away, the session goes on as it was last known.
      if (!(error instanceof Fault)) throw error;
    }
  }
}

function actOf(actor: Actor, action: AuditAction, target: string) {
  return { ...auditActorFields(actor), action, target, result: 'ok' } as const;
}

function hashOf(cookie: string): Buffer {
  return createHash('sha256').update(cookie).digest();
}

function keyOf(hash: Buffer): string {
  return hash.toString('base64');
}
