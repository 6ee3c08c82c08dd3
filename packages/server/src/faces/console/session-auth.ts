/** Who makes a call by way of the console: finds the session of its cookie, and the account that it acts for. */
import { CONSOLE_ACCOUNT_HEADER, CONSOLE_SESSION_HEADER, Fault } from '@millpond/protocol';
import type { Accounts, Keyring, SessionRow, Sessions } from '../../identity/accounts/index.ts';
import type { CallSession, RequestContext } from '../../platform/web/index.ts';
import { sessionCookie } from './cookie.ts';
import { assertNotCsrf } from './csrf.ts';

export interface SessionAuthDeps {
  readonly sessions: Sessions;
  readonly keyring: Keyring;
  readonly accounts: Accounts;
  /** Undefined without another provider: nobody confirms rights that one has given. */
  readonly claimCheck: { holds(row: SessionRow): Promise<boolean> } | undefined;
}

export interface SessionAuthSettings {
  readonly plainHttp: boolean;
}

export class SessionAuth {
  readonly #deps: SessionAuthDeps;
  readonly #plainHttp: boolean;

  constructor(deps: SessionAuthDeps, { plainHttp }: SessionAuthSettings) {
    this.#deps = deps;
    this.#plainHttp = plainHttp;
  }

  /** For every request but those for pages: it is genuine, and nobody on the way can read it. */
  checkTransport(context: RequestContext): void {
    this.requireTls(context);
    assertNotCsrf(context);
  }

  requireTls(context: RequestContext): void {
    if (!context.peer.secure && !this.#plainHttp)
      throw new Fault('badRequest', { hint: 'the console answers over HTTPS only' });
  }

  /** Undefined: nobody is signed in. */
  async session(context: RequestContext): Promise<CallSession | undefined> {
    const cookie = sessionCookie(context);
    const row =
      cookie === undefined ? undefined : await this.#deps.sessions.find(cookie, context.peer.address);
    return row && this.toCallSession(row);
  }

  /** Throws unless somebody is signed in, and may act for the account that the request names. */
  async requireSession(
    context: RequestContext,
    refusal: 'badToken' | 'failedAuthentication',
  ): Promise<CallSession> {
    this.checkTransport(context);
    const session = await this.session(context);
    if (session === undefined) {
      context.response.setHeader(CONSOLE_SESSION_HEADER, 'none');
      throw new Fault(refusal, { hint: 'sign in: there is no session, or it has ended' });
    }
    const named = context.header(CONSOLE_ACCOUNT_HEADER);
    return named === undefined ? session : this.#for(session, named);
  }

  /** Undefined if its key may no longer be used, or if the provider no longer gives its rights. */
  async toCallSession(row: SessionRow): Promise<CallSession | undefined> {
    if (row.rights_by === 'claim' && !(await this.#deps.claimCheck?.holds(row))) return undefined;
    const key = row.access_key === null ? undefined : await this.#deps.keyring.findUsed(row.access_key);
    if (key === undefined && row.access_key !== null) return undefined;
    return {
      id: row.session_id,
      ownUid: row.uid,
      uid: row.uid,
      parentUid: row.parent_uid,
      name: row.name,
      actor: `console:${row.name}`,
      isOperator: row.is_operator,
      key,
    };
  }

  async #for(session: CallSession, named: string): Promise<CallSession> {
    if (!session.isOperator)
      throw new Fault('notAllowed', { hint: 'only operators may act for other accounts' });
    if (!/^\d{1,18}$/.test(named))
      throw new Fault('invalidArgument', { hint: `${CONSOLE_ACCOUNT_HEADER} must be a uid, a whole number` });
    const { uid, parent_uid } = await this.#deps.accounts.byUid(BigInt(named));
    return { ...session, uid, parentUid: parent_uid, actor: `${session.actor} for ${uid}` };
  }
}
