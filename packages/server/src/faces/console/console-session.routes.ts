/** Signing in and out, and what the session is, at `/session`. */
import { Fault, type SessionOptions, type SessionState, type WireRecord } from '@millpond/protocol';
import type { BegunSession, Login, Sessions, SigningIn } from '../../identity/accounts/index.ts';
import {
  type Answer,
  BY_CONSOLE,
  type Call,
  emptyAnswer,
  formFields,
  jsonAnswer,
  neededField,
  type Route,
} from '../../platform/web/index.ts';
import type { RegionHosts } from '../../storage/buckets/index.ts';
import { clearSessionCookie, sessionCookie, setSessionCookie } from './cookie.ts';
import type { Gate } from './gate.ts';

export interface SessionRouteDeps {
  readonly gate: Gate;
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
  const { gate } = deps;
  const { version, region, plainHttp, oidc } = settings;
  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    handle: (call: Call) => Promise<Answer> | Answer,
  ): Route => ({
    role: 'console',
    methods: [method],
    path: `${BY_CONSOLE}${path}`,
    handle(call) {
      call.response.setHeader('cache-control', 'no-store');
      gate.check(call);
      return handle(call);
    },
  });
  return [
    route('GET', '/session', async (call) => {
      const state = await stateOf(call, sessionCookie(call), deps, settings);
      if (state === undefined) throw new Fault('badToken', { hint: 'nobody is signed in' });
      return jsonAnswer<SessionState>(state);
    }),
    route('POST', '/session', async (call) => {
      const begun = await signIn(call, deps);
      setSessionCookie(call, begun);
      const state = await stateOf(call, begun.cookie, deps, settings);
      if (state === undefined) throw new Fault('failedAuthentication');
      return jsonAnswer<SessionState>(state);
    }),
    route('DELETE', '/session', async (call) => {
      const session = await gate.session(call);
      const origin = { address: call.peer.address, reqid: call.reqid };
      if (session !== undefined) {
        const { uid, id, actor } = session;
        await deps.sessions.end(uid, id, { uid, name: actor, ...origin });
      }
      clearSessionCookie(call);
      return emptyAnswer();
    }),
    route('GET', '/session/options', () => jsonAnswer<SessionOptions>({ version, region, oidc, plainHttp })),
  ];
}

async function signIn(call: Call, { login, sessions }: SessionRouteDeps): Promise<BegunSession> {
  login.limitAddress(call.peer.address);
  await call.readOpenBody();
  const form = formFields(call, 'badRequest');
  const email = neededField(form, 'email');
  const password = neededField(form, 'password');
  const accessKey = form.get('accessKey') ?? undefined;
  const act = { action: 'session.begin', address: call.peer.address, reqid: call.reqid } as const;
  const actorOf = (name: string) => `console:${name}`;
  return login.prove({ email, password }, { act, actorOf }, (account, passwordHash) => {
    const who: SigningIn = { uid: account.uid, how: 'password', name: account.email };
    return sessions.begin({ ...who, accessKey, passwordHash }, call);
  });
}

/** Undefined: nobody is signed in. */
async function stateOf(
  call: Call,
  cookie: string | undefined,
  { gate, sessions, hosts }: SessionRouteDeps,
  settings: SessionRouteSettings,
): Promise<SessionState | undefined> {
  const { version, region, dialect, downloadSuffix } = settings;
  const row = cookie === undefined ? undefined : await sessions.look(cookie);
  const session = row && (await gate.of(row));
  if (row === undefined || session === undefined) return undefined;
  const scheme = call.peer.secure ? 'https' : 'http';
  const asked = { host: call.host, secure: call.peer.secure, isApart: true } as const;
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
