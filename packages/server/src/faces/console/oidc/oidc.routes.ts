/** Signing in with another provider: to it at `/session/oidc/<name>`, and back at `…/callback`. */
import type { Log } from '@millpond/base';
import { type Rate, RateLimiter } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import type {
  Accounts,
  Audit,
  CreatedSession,
  Identities,
  Sessions,
} from '../../../identity/accounts/index.ts';
import {
  CONSOLE_PREFIX,
  clientNetwork,
  type HttpResponse,
  queryFields,
  type RequestContext,
  type Route,
} from '../../../platform/web/index.ts';
import { clearCookie, cookieOf, setCookie, setSessionCookie } from '../cookie.ts';
import type { SessionAuth } from '../session-auth.ts';
import type { ClaimCheck } from './claim-check.ts';
import { type MappingSettings, nameFromClaims, rightsFromClaims } from './claim-mapping.ts';
import { accountOf } from './joined-account.ts';
import type { ProvidedClaims } from './oidc.claims.ts';
import {
  newPendingSignIn,
  type PendingSignIn,
  signPendingSignIn,
  TRIP_SECONDS,
  verifyPendingSignIn,
} from './pending-sign-in.ts';
import type { Provider, SignedIn } from './provider.ts';
import { SignInError } from './sign-in-error.ts';

export interface OidcRouteDeps {
  readonly sessionAuth: SessionAuth;
  readonly provider: Provider;
  readonly claimCheck: ClaimCheck;
  readonly accounts: Accounts;
  readonly identities: Identities;
  readonly sessions: Sessions;
  readonly audit: Audit;
  /** For the cookie of a sign-in under way, the newest first. */
  readonly tripKeys: readonly Buffer[];
  readonly log: Log;
}

/** Settings by name. */
export interface OidcRouteSettings extends MappingSettings {
  readonly oidcName: string;
  readonly tokenCallsPerAddress: Rate;
}

/** The browser comes back from another site, so that the strictest form would hold it back. */
const TRIP = { name: 'millpond-oidc', sameSite: 'Lax' } as const;

export function oidcRoutes(deps: OidcRouteDeps, settings: OidcRouteSettings): Route[] {
  const { sessionAuth, provider, tripKeys } = deps;
  const path = `/session/oidc/${settings.oidcName}`;
  const perAddress = new RateLimiter(settings.tokenCallsPerAddress, 'failedRequest');
  const redirectUri = (context: RequestContext) =>
    `${context.peer.secure ? 'https' : 'http'}://${context.host}${path}/callback`;
  const route = (at: string, handle: (context: RequestContext) => Promise<HttpResponse>): Route => ({
    role: 'console',
    methods: ['GET'],
    path: `${CONSOLE_PREFIX}${at}`,
    async handle(context) {
      context.response.setHeader('cache-control', 'no-store');
      context.response.setHeader('referrer-policy', 'no-referrer');
      sessionAuth.requireTls(context);
      perAddress.take(clientNetwork(context.peer.address));
      return handle(context);
    },
  });

  return [
    route(path, async (context) => {
      const pending = newPendingSignIn(queryFields(context, 'badRequest').get('to'));
      try {
        const url = await provider.signInUrl(pending, redirectUri(context));
        setCookie(context, TRIP, signPendingSignIn(pending, tripKeys, Date.now()), TRIP_SECONDS);
        return seeOther(url);
      } catch (error) {
        return failed(error, pending, context, deps);
      }
    }),
    route(`${path}/callback`, async (context) => {
      const pending = verifyPendingSignIn(cookieOf(context, TRIP) ?? '', tripKeys, Date.now());
      // A second answer finds nothing under way.
      clearCookie(context, TRIP);
      let claims: ProvidedClaims | undefined;
      try {
        if (pending === undefined || queryFields(context, 'badRequest').get('state') !== pending.state)
          throw new SignInError('wrongState');
        const callback = new URL(`${redirectUri(context)}?${context.target.query ?? ''}`);
        const signedIn = await provider.signedIn(callback, pending);
        claims = signedIn.claims;
        setSessionCookie(context, await begin(signedIn, context, deps, settings));
        return seeOther(pending.to);
      } catch (error) {
        return failed(error, pending, context, deps, nameFromClaims(claims));
      }
    }),
  ];
}

async function begin(
  signedIn: SignedIn,
  context: RequestContext,
  deps: OidcRouteDeps,
  settings: OidcRouteSettings,
): Promise<CreatedSession> {
  const { claims } = signedIn;
  const { sessions, claimCheck } = deps;
  const rights = rightsFromClaims(claims, settings);
  const origin = { address: context.peer.address, reqid: context.reqid };
  const account = await accountOf(claims, settings, origin, deps);
  if (rights?.isOperator === true && account.parent_uid !== 0n)
    throw new SignInError('noRights', `account ${account.uid} is a child, which is never an operator`);
  const name = nameFromClaims(claims) ?? account.email;
  const holdsMs = rights && claimCheck.holdsMs(signedIn);
  const byClaim = rights && { isOperator: rights.isOperator, holdsMs };
  const who = { uid: account.uid, how: 'oidc', name, byClaim, accessKey: rights?.accessKey } as const;
  const begun = await sessions.begin(who, context).catch((error: unknown) => {
    if (!(error instanceof Fault && error.fault === 'failedAuthentication')) throw error;
    const refusal =
      account.is_disabled || rights?.accessKey === undefined ? 'accountDisabled' : 'keyDisabled';
    throw new SignInError(refusal, undefined, { cause: error });
  });
  if (rights !== undefined && holdsMs === undefined) await claimCheck.keep(begun.id, signedIn);
  return begun;
}

/** Back to the sign-in, which has a sentence for each word. Our own failures are no refusals. */
async function failed(
  error: unknown,
  pending: PendingSignIn | undefined,
  context: RequestContext,
  { audit, log }: OidcRouteDeps,
  name = 'unknown',
): Promise<HttpResponse> {
  if (!(error instanceof SignInError)) throw error;
  const { refusal, message, cause } = error;
  log.warn(
    { reqid: context.reqid, refusal, why: whyOf(cause) ?? message },
    'a sign-in by the provider failed',
  );
  // Anybody can come back without having begun.
  if (pending !== undefined && refusal !== 'providerAway')
    await audit.record({
      action: 'session.begin',
      result: refusal,
      actor: `console:${name}`,
      address: context.peer.address,
      target: 'oidc',
      reqid: context.reqid,
    });
  const to = pending === undefined ? '' : `&to=${encodeURIComponent(pending.to)}`;
  return seeOther(`/sign-in?failed=${refusal}${to}`);
}

/** What the library says, which names no secret: its own words, and its code. */
function whyOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const deeper = cause.cause instanceof Error ? `: ${cause.cause.message}` : '';
  return `${cause.message}${deeper}`.slice(0, 300);
}

function seeOther(location: string): HttpResponse {
  return { status: 303, headers: { location }, body: '' };
}
