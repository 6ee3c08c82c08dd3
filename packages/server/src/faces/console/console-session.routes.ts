/** Signing in and out, and what the session is, at `/session`. */
import { Fault, type SessionOptions, type SessionState, type WireRecord } from '@millpond/protocol';
import type { CreatedSession, Login, Sessions, SigningIn } from '../../identity/accounts/index.ts';
import {
  CONSOLE_PREFIX,
  emptyResponse,
  formFields,
  type HttpResponse,
  jsonResponse,
  type RequestContext,
  type Route,
  requiredField,
} from '../../platform/web/index.ts';
import type { RegionHosts } from '../../storage/buckets/index.ts';
import { clearSessionCookie, sessionCookie, setSessionCookie } from './cookie.ts';
import type { SessionAuth } from './session-auth.ts';

export interface SessionRouteDeps {
  readonly sessionAuth: SessionAuth;
  readonly sessions: Sessions;
  readonly login: Login;
  readonly hosts: Pick<RegionHosts, 'of'>;
}

export interface SessionRouteSettings {
  readonly version: string;
  readonly region: string;
  readonly dialect: SessionState['dialect'];
  readonly plainHttp: boolean;
  /** Other providers to sign in with. */
  readonly oidc: SessionOptions['oidc'];
  readonly downloadSuffix?: string | undefined;
  readonly sipListen?: { readonly address: string; readonly port: number } | undefined;
  readonly sipPublicHost?: string | undefined;
  readonly sipServerId: string;
  readonly sipRealm: string;
}

const TOLD_ROLES = ['up', 'io', 'rs', 'rsf', 'uc', 'api', 'auth', 'live', 's3'];

export function sessionRoutes(deps: SessionRouteDeps, settings: SessionRouteSettings): Route[] {
  const { sessionAuth } = deps;
  const { version, region, plainHttp, oidc } = settings;
  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    handle: (context: RequestContext) => Promise<HttpResponse> | HttpResponse,
  ): Route => ({
    role: 'console',
    methods: [method],
    path: `${CONSOLE_PREFIX}${path}`,
    handle(context) {
      context.response.setHeader('cache-control', 'no-store');
      sessionAuth.checkTransport(context);
      return handle(context);
    },
  });
  return [
    route('GET', '/session', async (context) => {
      const state = await stateOf(context, sessionCookie(context), deps, settings);
      if (state === undefined) throw new Fault('badToken', { hint: 'nobody is signed in' });
      return jsonResponse<SessionState>(state);
    }),
    route('POST', '/session', async (context) => {
      const begun = await signIn(context, deps);
      setSessionCookie(context, begun);
      const state = await stateOf(context, begun.cookie, deps, settings);
      if (state === undefined) throw new Fault('failedAuthentication');
      return jsonResponse<SessionState>(state);
    }),
    route('DELETE', '/session', async (context) => {
      const session = await sessionAuth.session(context);
      const origin = { address: context.peer.address, reqid: context.reqid };
      if (session !== undefined) {
        const { uid, id, actor } = session;
        await deps.sessions.end(uid, id, { uid, name: actor, ...origin });
      }
      clearSessionCookie(context);
      return emptyResponse();
    }),
    route('GET', '/session/options', () =>
      jsonResponse<SessionOptions>({ version, region, oidc, plainHttp }),
    ),
  ];
}

async function signIn(
  context: RequestContext,
  { login, sessions }: SessionRouteDeps,
): Promise<CreatedSession> {
  login.limitAddress(context.peer.address);
  await context.readOpenBody();
  const form = formFields(context, 'badRequest');
  const email = requiredField(form, 'email');
  const password = requiredField(form, 'password');
  const accessKey = form.get('accessKey') ?? undefined;
  const act = { action: 'session.begin', address: context.peer.address, reqid: context.reqid } as const;
  const actorOf = (name: string) => `console:${name}`;
  return login.withVerifiedPassword({ email, password }, { act, actorOf }, (account, passwordHash) => {
    const who: SigningIn = { uid: account.uid, how: 'password', name: account.email };
    return sessions.begin({ ...who, accessKey, passwordHash }, context);
  });
}

/** Undefined: nobody is signed in. */
async function stateOf(
  context: RequestContext,
  cookie: string | undefined,
  { sessionAuth, sessions, hosts }: SessionRouteDeps,
  settings: SessionRouteSettings,
): Promise<SessionState | undefined> {
  const { version, region, dialect, downloadSuffix } = settings;
  const row = cookie === undefined ? undefined : await sessions.findUncached(cookie);
  const session = row && (await sessionAuth.toCallSession(row));
  if (row === undefined || session === undefined) return undefined;
  const scheme = context.peer.secure ? 'https' : 'http';
  const asked = { host: context.host, secure: context.peer.secure, isApart: true } as const;
  const told = TOLD_ROLES.flatMap((role) =>
    hosts
      .of(role, asked)
      .slice(0, 1)
      .map((host) => [role, `${scheme}://${host}`]),
  );
  return {
    id: session.id,
    email: session.name,
    uid: Number(session.uid),
    parentUid: Number(session.parentUid),
    operator: session.isOperator,
    how: row.how,
    ...(session.key && { accessKey: session.key.accessKey }),
    ...(session.key?.limits && { limits: session.key.limits as WireRecord<'KeyLimits'> }),
    begun: row.begun_at.toISOString(),
    expires: row.idle_until.toISOString(),
    version,
    region,
    dialect,
    now: Math.round(row.now_ms),
    hosts: Object.fromEntries(told) as Record<string, string>,
    ...(downloadSuffix !== undefined && { domainsSuffix: downloadSuffix }),
    ...sipOf(settings),
  };
}

function sipOf(settings: SessionRouteSettings): Pick<SessionState, 'sip'> {
  const { sipListen, sipPublicHost, sipServerId, sipRealm } = settings;
  if (sipListen === undefined) return {};
  const host = sipPublicHost ?? `${sipListen.address}:${sipListen.port}`;
  return { sip: { host, serverId: sipServerId, domain: sipRealm } };
}
