/**
 * Password log-in, for a token or a session, and refresh. All are rate-limited and audited, and answer all wrong guesses alike.
 */
import { createHash } from 'node:crypto';
import { Fault } from '@millpond/protocol';
import { type Rate, RateLimit } from '../../../platform/rate-limit.ts';
import { networkOf } from '../../../platform/web/index.ts';
import type { Act, Audit, Origin } from '../audit-store.ts';
import type { AccountRow, AccountStore } from '../store.ts';
import type { Passwords } from './passwords.ts';
import { RefreshTokenReused, type TokenPair, type Tokens } from './tokens.ts';

/** No e-mail is longer; what is kept for the rate limit must be bounded. */
const LONGEST_EMAIL = 255;

export interface LoginDeps {
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly audit: Audit;
}

export interface LoginRates {
  readonly tokenCallsPerAddress: Rate;
  readonly passwordTriesPerEmail: Rate;
  readonly refreshesPerToken: Rate;
}

export class Login {
  readonly #deps: LoginDeps;
  readonly #perAddress: RateLimit;
  readonly #perEmail: RateLimit;
  readonly #perToken: RateLimit;

  constructor(deps: LoginDeps, rates: LoginRates) {
    this.#deps = deps;
    this.#perAddress = new RateLimit(rates.tokenCallsPerAddress, 'failedRequest');
    this.#perEmail = new RateLimit(rates.passwordTriesPerEmail, 'failedRequest');
    this.#perToken = new RateLimit(rates.refreshesPerToken, 'failedRequest');
  }

  async withPassword(email: string, password: string, origin: Origin): Promise<TokenPair> {
    const { tokens, audit } = this.#deps;
    const act = { ...origin, action: 'token.password', actor: email, target: email } as const;
    return this.prove({ email, password }, act, async ({ uid }, hash) => {
      const pair = await tokens.begin(uid, origin.address, hash);
      await audit.record({ ...act, actorUid: uid, result: 'ok' });
      return pair;
    });
  }

  /** What a right password opens. `act` is written down if it is wrong; the opener writes down that it was right. */
  async prove<T>(
    { email, password }: { readonly email: string; readonly password: string },
    act: Omit<Act, 'result' | 'actorUid'>,
    open: (account: AccountRow, passwordHash: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { store, passwords, audit } = this.#deps;
    this.#perAddress.take(networkOf(act.address));
    this.#perEmail.take(email.toLowerCase().slice(0, LONGEST_EMAIL));
    const account = await store.byEmail(email);
    try {
      const hash = account?.password_hash ?? undefined;
      const isRight = await passwords.matches(password, hash);
      if (!isRight || account === undefined || account.is_disabled) throw new Fault('failedAuthentication');
      return await open(account, hash);
    } catch (error) {
      if (error instanceof Fault && error.fault === 'failedAuthentication')
        await audit.record({ ...act, actorUid: account?.uid, result: error.fault });
      throw error;
    }
  }

  async withRefreshToken(refreshToken: string, origin: Origin): Promise<TokenPair> {
    const { tokens, audit } = this.#deps;
    this.#perAddress.take(networkOf(origin.address));
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
