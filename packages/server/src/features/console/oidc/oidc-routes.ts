/** Signing in with another provider: to it at `/session/oidc/<name>`, and back at `…/callback`. */
import { Fault } from '@millpond/protocol';
import type { Log } from '../../../platform/log.ts';
import { type Rate, RateLimit } from '../../../platform/rate-limit.ts';
import {
  type Answer,
  BY_CONSOLE,
  type Call,
  networkOf,
  queryFields,
  type Route,
} from '../../../platform/web/index.ts';
import type { Accounts, Audit, BegunSession, Sessions } from '../../accounts/index.ts';
import { clearCookie, cookieOf, setCookie, setSessionCookie } from '../cookie.ts';
import type { Gate } from '../gate.ts';
import {
  accountIn,
  type Claims,
  type MappingSettings,
  type NamedAccount,
  nameIn,
  rightsIn,
} from './mapping.ts';
import type { Provider } from './provider.ts';
import { Refusal } from './refusal.ts';
import { newTrip, openTrip, sealTrip, TRIP_SECONDS, type Trip } from './trip.ts';

export interface OidcRouteDeps {
  readonly gate: Gate;
  readonly provider: Provider;
  readonly accounts: Accounts;
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
const NOT_BEGUN = 'the sign-in was not begun in this browser, or more than ten minutes ago: try again';

export function oidcRoutes(deps: OidcRouteDeps, settings: OidcRouteSettings): Route[] {
  const { gate, provider, tripKeys } = deps;
  const path = `/session/oidc/${settings.oidcName}`;
  const perAddress = new RateLimit(settings.tokenCallsPerAddress, 'failedRequest');
  const redirectUri = (call: Call) => `${call.peer.secure ? 'https' : 'http'}://${call.host}${path}/callback`;
  const route = (at: string, handle: (call: Call) => Promise<Answer>): Route => ({
    role: 'console',
    methods: ['GET'],
    path: `${BY_CONSOLE}${at}`,
    async handle(call) {
      call.response.setHeader('cache-control', 'no-store');
      call.response.setHeader('referrer-policy', 'no-referrer');
      gate.requireTls(call);
      perAddress.take(networkOf(call.peer.address));
      return handle(call);
    },
  });

  return [
    route(path, async (call) => {
      const trip = newTrip(queryFields(call, 'badRequest').get('to'));
      try {
        const url = await provider.signInUrl(trip, redirectUri(call));
        setCookie(call, TRIP, sealTrip(trip, tripKeys, Date.now()), TRIP_SECONDS);
        return seeOther(url);
      } catch (error) {
        return failed(error, trip, call, deps);
      }
    }),
    route(`${path}/callback`, async (call) => {
      const trip = openTrip(cookieOf(call, TRIP) ?? '', tripKeys, Date.now());
      // A second answer finds nothing under way.
      clearCookie(call, TRIP);
      let claims: Claims = {};
      try {
        if (trip === undefined || queryFields(call, 'badRequest').get('state') !== trip.state)
          throw new Refusal('wrongState', NOT_BEGUN);
        claims = await provider.claims(new URL(`${redirectUri(call)}?${call.target.query ?? ''}`), trip);
        setSessionCookie(call, await begin(claims, call, deps, settings));
        return seeOther(trip.to);
      } catch (error) {
        return failed(error, trip, call, deps, nameIn(claims));
      }
    }),
  ];
}

async function begin(
  claims: Claims,
  call: Call,
  { accounts, sessions, gate }: OidcRouteDeps,
  settings: OidcRouteSettings,
): Promise<BegunSession> {
  const named = accountIn(claims, settings);
  const rights = rightsIn(claims, settings);
  const account = await accountOf(named, accounts);
  const { isOperator, accessKey } = rights ?? { isOperator: gate.isOperator(account.email) };
  const name = nameIn(claims) ?? account.email;
  try {
    return await sessions.begin({ uid: account.uid, how: 'oidc', name, isOperator, accessKey }, call);
  } catch (error) {
    if (!(error instanceof Fault && error.fault === 'failedAuthentication')) throw error;
    const words =
      accessKey === undefined ? 'the account is disabled' : 'the access key for it may not be used';
    throw new Refusal('noRights', `${words}: ask an operator`, { cause: error });
  }
}

async function accountOf(named: NamedAccount, accounts: Accounts) {
  try {
    return await ('uid' in named ? accounts.byUid(named.uid) : accounts.byEmail(named.email));
  } catch (error) {
    if (!(error instanceof Fault && error.fault === 'recordNotFound')) throw error;
    const who = 'uid' in named ? `the number ${named.uid}` : named.email;
    throw new Refusal('unknownAccount', `there is no account for ${who}: ask an operator`);
  }
}

/** Back to the sign-in, which shows the words. Our own failures are no refusals. */
async function failed(
  error: unknown,
  trip: Trip | undefined,
  call: Call,
  { audit, log }: OidcRouteDeps,
  name = 'unknown',
): Promise<Answer> {
  if (!(error instanceof Refusal)) throw error;
  const { refusal, message, cause } = error;
  log.warn({ reqid: call.reqid, refusal, why: whyOf(cause) }, 'a sign-in by the provider failed');
  // Anybody can come back without having begun.
  if (trip !== undefined && refusal !== 'providerAway')
    await audit.record({
      action: 'session.begin',
      result: refusal,
      actor: `console:${name}`,
      address: call.peer.address,
      target: 'oidc',
      reqid: call.reqid,
    });
  const to = trip === undefined ? '' : `&to=${encodeURIComponent(trip.to)}`;
  return seeOther(`/sign-in?failed=${encodeURIComponent(message)}${to}`);
}

/** What the library says, which names no secret: its own words, and its code. */
function whyOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const deeper = cause.cause instanceof Error ? `: ${cause.cause.message}` : '';
  return `${cause.message}${deeper}`.slice(0, 300);
}

function seeOther(location: string): Answer {
  return { status: 303, headers: { location }, body: '' };
}
