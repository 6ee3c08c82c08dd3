/**
 * The calls of the interface on the console's own origin: `/call/<role>/<target>` is answered by the same handlers, with the
 * session in place of a signature. Every change is written into the audit log.
 */
import type { Log } from '@millpond/base';
import { currentTrace } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import type { Audit } from '../../identity/accounts/index.ts';
import {
  CONSOLE_PREFIX,
  type HttpResponse,
  type RequestContext,
  type Route,
  untrustedContentHeaders,
} from '../../platform/web/index.ts';
import type { RegionHosts } from '../../storage/buckets/index.ts';
import { isChange } from './csrf.ts';
import type { SessionAuth } from './session-auth.ts';

export interface ForwardedDeps {
  readonly sessionAuth: SessionAuth;
  readonly audit: Audit;
  readonly hosts: Pick<RegionHosts, 'of'>;
  readonly log: Log;
}

const FORWARDED: ReadonlySet<string> = new Set(['rs', 'rsf', 'uc', 'api', 'live', 'up', 'io']);
/** An upload is many requests. That it was allowed is written down when its token is signed. */
const UNWRITTEN = 'up';

export function consoleCallRoutes(routes: readonly Route[], deps: ForwardedDeps): Route[] {
  return routes.flatMap((route): Route[] => {
    // Those under prefixes of hosts are for requests that came to such a host.
    if (!FORWARDED.has(route.role) || route.path.startsWith('/~')) return [];
    const methods = route.methods.filter((method) => method !== 'OPTIONS');
    const within = `/call/${route.role}`;
    const { cors: _, ...rest } = route;
    if (methods.length === 0) return [];
    return [
      {
        ...rest,
        role: 'console',
        methods,
        path: `${CONSOLE_PREFIX}${within}${route.path}`,
        within,
        handle: (context) => forwarded(route, context, deps),
      },
    ];
  });
}

async function forwarded(
  route: Route,
  context: RequestContext,
  deps: ForwardedDeps,
): Promise<HttpResponse | undefined> {
  for (const [name, value] of Object.entries(untrustedContentHeaders()))
    context.response.setHeader(name, value);
  context.response.setHeader('cache-control', 'no-store');
  const refusal = route.errors === 'account' ? 'failedAuthentication' : 'badToken';
  context.session = await deps.sessionAuth.requireSession(context, refusal);
  currentTrace()?.inSession(context.session);
  // What the handler says about hosts must be true for those who ask without the console.
  const asked = { host: context.host, secure: context.peer.secure, isApart: true } as const;
  context.host = deps.hosts.of(route.role, asked)[0] ?? context.host;
  if (route.role === UNWRITTEN || !isChange(context)) return route.handle(context);
  try {
    const response = await route.handle(context);
    if (!context.isAudited) await write(route, context, 'ok', deps);
    return response;
  } catch (error) {
    // The handler's own audit row rolled back with its transaction, so record the failure here.
    await write(route, context, error instanceof Fault ? error.fault : 'serverFailure', deps);
    throw error;
  }
}

async function write(
  { role }: Route,
  { request, target, session, peer, reqid }: RequestContext,
  result: string,
  { audit, log }: ForwardedDeps,
): Promise<void> {
  try {
    await audit.record({
      action: 'console.call',
      result,
      actorUid: session?.uid,
      actor: session?.actor ?? '',
      address: peer.address,
      target: `${request.method ?? ''} /${role}${target.path}`,
      reqid,
    });
  } catch (error) {
    // The call was answered by other engines, and is what it is.
    log.error(
      { err: error, reqid, result, actor: session?.actor },
      'a call of the console is not in the audit log',
    );
  }
}
