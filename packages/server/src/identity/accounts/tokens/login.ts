/**
 * Password log-in, for a token or a session, and refresh. All are rate-limited and audited, and answer all wrong guesses alike.
 */
import { createHash } from 'node:crypto';
import { type Rate, RateLimiter } from '@millpond/base';
import { Fault, foldEmail } from '@millpond/protocol';
import { clientNetwork } from '../../../platform/web/index.ts';
import type { AccountRow, AccountStore, LoginRow } from '../accounts.store.ts';
import type { Audit, AuditOrigin, NewAuditEntry } from '../audit.store.ts';
import { PasswordTries, type PasswordTryRates } from './password-tries.ts';
import type { Passwords } from './passwords.ts';
import { RefreshTokenReusedFault, type TokenPair, type Tokens } from './tokens.ts';

export interface LoginDeps {
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly audit: Audit;
}

export interface LoginRates extends PasswordTryRates {
  readonly tokenCallsPerAddress: Rate;
  readonly refreshesPerToken: Rate;
}

/** What the audit log says about a try: all but who it was, which is known once the account is. */
export interface PasswordAct {
  readonly act: Omit<NewAuditEntry, 'result' | 'actor' | 'actorUid' | 'target'>;
  readonly actorOf: (email: string) => string;
}

export class Login {
  readonly #deps: LoginDeps;
  readonly #perAddress: RateLimiter;
  readonly #tries: PasswordTries;
  readonly #perToken: RateLimiter;

  constructor(deps: LoginDeps, rates: LoginRates) {
    this.#deps = deps;
    this.#perAddress = new RateLimiter(rates.tokenCallsPerAddress, 'failedRequest');
    this.#tries = new PasswordTries(rates);
    this.#perToken = new RateLimiter(rates.refreshesPerToken, 'failedRequest');
  }

  /** For every call of these, whatever it brings: before anything of it is compared. */
  limitAddress(address: string): void {
    this.#perAddress.take(clientNetwork(address));
  }

  async withPassword(email: string, password: string, origin: AuditOrigin): Promise<TokenPair> {
    const { tokens, audit } = this.#deps;
    const act = { ...origin, action: 'token.password' } as const;
    return this.withVerifiedPassword({ email, password }, { act, actorOf: String }, async (account, hash) => {
      const pair = await tokens.begin(account.uid, origin.address, hash);
      const { uid: actorUid, email: name } = account;
      await audit.record({ ...act, actor: name, target: name, actorUid, result: 'ok' });
      return pair;
    });
  }

  /** What a right password opens. That it was wrong is written down here; the opener writes down that it was right. */
  async withVerifiedPassword<T>(
    { email, password }: { readonly email: string; readonly password: string },
    { act, actorOf }: PasswordAct,
    open: (account: AccountRow, passwordHash: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { store, passwords, audit } = this.#deps;
    const network = clientNetwork(act.address);
    const tried = this.#tries.begin(email, network);
    let account: LoginRow | undefined;
    try {
      account = await store.byEmail(email);
      const hash = account?.password_hash ?? undefined;
      const isRight = await passwords.matches(password, hash, network);
      if (!isRight || account === undefined || account.is_disabled) throw new Fault('failedAuthentication');
      const opened = await open(account, hash);
      tried.wasRight();
      return opened;
    } catch (error) {
      if (!(error instanceof Fault && error.fault === 'failedAuthentication')) {
        tried.wasNotJudged();
        throw error;
      }
      // One account is found under one name, however its address was typed.
      const target = account?.email ?? foldEmail(email);
      await audit.record({
        ...act,
        actor: actorOf(target),
        target,
        actorUid: account?.uid,
        result: error.fault,
      });
      throw error;
    }
  }

  async withRefreshToken(refreshToken: string, origin: AuditOrigin): Promise<TokenPair> {
    const { tokens, audit } = this.#deps;
    // In place of the account, which is unknown until the token is found.
    this.#perToken.take(createHash('sha256').update(refreshToken).digest('base64'));
    const act = { ...origin, actor: 'refresh token', target: 'refresh token' };
    try {
      const { pair, uid } = await tokens.refresh(refreshToken, origin.address);
      await audit.record({ ...act, action: 'token.refresh', actorUid: uid, result: 'ok' });
      return pair;
    } catch (error) {
      if (error instanceof RefreshTokenReusedFault) {
        await audit.record({ ...act, action: 'token.reuse', actorUid: error.uid, result: 'revoked' });
      } else if (error instanceof Fault && error.status < 500) {
        await audit.record({ ...act, action: 'token.refresh', result: error.fault });
      }
      throw error;
    }
  }
}
