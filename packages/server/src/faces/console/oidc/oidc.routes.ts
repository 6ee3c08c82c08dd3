/** Signing in with another provider: to it at `/session/oidc/<name>`, and back at `…/callback`. */
import type { Log } from '@millpond/base';
import { type Rate, RateLimit } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import type {
  Accounts,
  Audit,
  BegunSession,
  Identities,
  Sessions,
} from '../../../identity/accounts/index.ts';
import {
  type Answer,
  BY_CONSOLE,
  type Call,
  networkOf,
  queryFields,
  type Route,
} from '../../../platform/web/index.ts';
import { clearCookie, cookieOf, setCookie, setSessionCookie } from '../cookie.ts';
import type { Gate } from '../gate.ts';
import type { ClaimCheck } from './claim-check.ts';
import { accountOf } from './joined-account.ts';
import { type MappingSettings, nameIn, rightsIn } from './mapping.ts';
import type { ProvidedClaims } from './oidc.claims.ts';
import { Refusal } from './oidc.refusal.ts';
import type { Provider, SignedIn } from './provider.ts';
import { newTrip, openTrip, sealTrip, TRIP_SECONDS, type Trip } from './trip.ts';

export interface OidcRouteDeps {
  readonly gate: Gate;
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
      let claims: ProvidedClaims | undefined;
      try {
        if (trip === undefined || queryFields(call, 'badRequest').get('state') !== trip.state)
          throw new Refusal('wrongState');
        const callback = new URL(`${redirectUri(call)}?${call.target.query ?? ''}`);
        const signedIn = await provider.signedIn(callback, trip);
        claims = signedIn.claims;
        setSessionCookie(call, await begin(signedIn, call, deps, settings));
        return seeOther(trip.to);
      } catch (error) {
        return failed(error, trip, call, deps, nameIn(claims));
      }
    }),
  ];
}

async function begin(
  signedIn: SignedIn,
  call: Call,
  deps: OidcRouteDeps,
  settings: OidcRouteSettings,
): Promise<BegunSession> {
  const { claims } = signedIn;
  const { sessions, claimCheck } = deps;
  const rights = rightsIn(claims, settings);
  const origin = { address: call.peer.address, reqid: call.reqid };
  const account = await accountOf(claims, settings, origin, deps);
  if (rights?.isOperator === true && account.parent_uid !== 0n)
    throw new Refusal('noRights', `account ${account.uid} is a child, which is never an operator`);
  const name = nameIn(claims) ?? account.email;
  const holdsMs = rights && claimCheck.holdsMs(signedIn);
  const byClaim = rights && { isOperator: rights.isOperator, holdsMs };
  const who = { uid: account.uid, how: 'oidc', name, byClaim, accessKey: rights?.accessKey } as const;
  const begun = await sessions.begin(who, call).catch((error: unknown) => {
    if (!(error instanceof Fault && error.fault === 'failedAuthentication')) throw error;
    const refusal =
      account.is_disabled || rights?.accessKey === undefined ? 'accountDisabled' : 'keyDisabled';
    throw new Refusal(refusal, undefined, { cause: error });
  });
  if (rights !== undefined && holdsMs === undefined) await claimCheck.keep(begun.id, signedIn);
  return begun;
}

/** Back to the sign-in, which has a sentence for each word. Our own failures are no refusals. */
async function failed(
  error: unknown,
  trip: Trip | undefined,
  call: Call,
  { audit, log }: OidcRouteDeps,
  name = 'unknown',
): Promise<Answer> {
  if (!(error instanceof Refusal)) throw error;
  const { refusal, message, cause } = error;
  log.warn({ reqid: call.reqid, refusal, why: whyOf(cause) ?? message }, 'a sign-in by the provider failed');
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
  return seeOther(`/sign-in?failed=${refusal}${to}`);
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
