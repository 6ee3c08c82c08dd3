/**
 * Password log-in, for a token or a session, and refresh. All are rate-limited and audited, and answer all wrong guesses alike.
 */
import { createHash } from 'node:crypto';
import { type Rate, RateLimit } from '@millpond/base';
import { Fault, foldEmail } from '@millpond/protocol';
import { networkOf } from '../../../platform/web/index.ts';
import type { AccountRow, AccountStore, LoginRow } from '../accounts.store.ts';
import type { Act, Audit, Origin } from '../audit.store.ts';
import { PasswordTries, type PasswordTryRates } from './password-tries.ts';
import type { Passwords } from './passwords.ts';
import { RefreshTokenReused, type TokenPair, type Tokens } from './tokens.ts';

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
  readonly act: Omit<Act, 'result' | 'actor' | 'actorUid' | 'target'>;
  readonly actorOf: (email: string) => string;
}

export class Login {
  readonly #deps: LoginDeps;
  readonly #perAddress: RateLimit;
  readonly #tries: PasswordTries;
  readonly #perToken: RateLimit;

  constructor(deps: LoginDeps, rates: LoginRates) {
    this.#deps = deps;
    this.#perAddress = new RateLimit(rates.tokenCallsPerAddress, 'failedRequest');
    this.#tries = new PasswordTries(rates);
    this.#perToken = new RateLimit(rates.refreshesPerToken, 'failedRequest');
  }

  /** For every call of these, whatever it brings: before anything of it is compared. */
  limitAddress(address: string): void {
    this.#perAddress.take(networkOf(address));
  }

  async withPassword(email: string, password: string, origin: Origin): Promise<TokenPair> {
    const { tokens, audit } = this.#deps;
    const act = { ...origin, action: 'token.password' } as const;
    return this.prove({ email, password }, { act, actorOf: String }, async (account, hash) => {
      const pair = await tokens.begin(account.uid, origin.address, hash);
      const { uid: actorUid, email: name } = account;
      await audit.record({ ...act, actor: name, target: name, actorUid, result: 'ok' });
      return pair;
    });
  }

  /** What a right password opens. That it was wrong is written down here; the opener writes down that it was right. */
  async prove<T>(
    { email, password }: { readonly email: string; readonly password: string },
    { act, actorOf }: PasswordAct,
    open: (account: AccountRow, passwordHash: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { store, passwords, audit } = this.#deps;
    const network = networkOf(act.address);
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

  async withRefreshToken(refreshToken: string, origin: Origin): Promise<TokenPair> {
    const { tokens, audit } = this.#deps;
    // In place of the account, which is unknown until the token is found.
    this.#perToken.take(createHash('sha256').update(refreshToken).digest('base64'));
    const act = { ...origin, actor: 'refresh token', target: 'refresh token' };
    try {
      const { pair, uid } = await tokens.refresh(refreshToken, origin.address);
      await audit.record({ ...act, action: 'token.refresh', actorUid: uid, result: 'ok' });
      return pair;
    } catch (error) {
      if (error instanceof RefreshTokenReused) {
        await audit.record({ ...act, action: 'token.reuse', actorUid: error.uid, result: 'revoked' });
      } else if (error instanceof Fault && error.status < 500) {
        await audit.record({ ...act, action: 'token.refresh', result: error.fault });
      }
      throw error;
    }
  }
}
