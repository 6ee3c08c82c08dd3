/**
 * What answers a request: found by its host, its path and its method among the routes of a listener's roles. Methods that nobody
 * answers are refused in the path's own form.
 */
import { Fault } from '@millpond/protocol';
import createRouter from 'find-my-way';
import { exclusiveRoleOf, isRoleReachable, type Listener, type Role } from '../config/listeners.ts';
import {
  BY_BUCKET_HOST,
  CONSOLE_PREFIX,
  DOMAIN_PREFIX,
  preflightResponse,
  type RequestContext,
  type Route,
  S3_PREFIX,
} from '../platform/web/index.ts';
import type { AppDeps } from './app-deps.ts';
import { authorityOf } from './authority.ts';
import type { Exchange } from './exchange.ts';
import type { ResolvedHost } from './hosts.ts';
import { MAX_HEADER_BYTES } from './http-server.ts';
import { isServed, noRoute, rolesOf, runRoute } from './run-route.ts';

/** Methods of a download. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Answers a request, or throws why not. */
export type Answer = (exchange: Exchange) => Promise<void>;

/** What a path answers to a method. */
type EndpointOf = (method: string) => Endpoint;
interface Endpoint {
  /** Undefined: refusals have no route's form. */
  readonly route: Route | undefined;
  readonly pattern: string;
  readonly answer: Answer;
}

/** The function that it returns also notes the route in the exchange. */
export function mount(listener: Listener, deps: AppDeps): (exchange: Exchange) => Answer {
  // One tree of paths for methods that read, and one for all others: which of them it takes, a path knows itself. The headers
  // limit how long it is, and the host may stand before it.
  const router = createRouter({ maxParamLength: 2 * MAX_HEADER_BYTES });
  const isConsole = isRoleReachable({ listen: [listener], hosts: deps.config.hosts }, 'console');
  const carried = deps.routes.filter(
    (route) =>
      rolesOf(route).some((role) => listener.roles.has(role as Role)) &&
      (route.role !== 'console' || isConsole),
  );
  for (const [pattern, routes] of Map.groupBy(carried, ({ path }) => path))
    router.on(['GET', 'POST'], pattern, unused, endpointsOf(pattern, routes, deps));
  const accountRoutes = carried.filter((route) => route.errors === 'account');
  for (const [folder, beside] of Map.groupBy(accountRoutes, ({ path }) => folderOf(path))) {
    const isRead = beside.some(({ methods }) => methods.includes('GET'));
    const endpoint = unknownAccountCall(`${folder}*`, beside, deps);
    // A bucket may have the same name as the folder, and be read.
    router.on(isRead ? ['GET', 'POST'] : ['POST'], endpoint.pattern, unused, () => endpoint);
  }
  const onlyRole = exclusiveRoleOf(listener);
  return (exchange) => {
    const { request } = exchange;
    const { host, target, hint } = authorityOf(request);
    if (host === undefined) return rejecting(() => new Fault('invalidArgument', { hint }));
    if (target !== request.url) {
      // It was in absolute form: from here on all code sees host and target as the request means them.
      request.headers.host = host;
      request.url = target;
    }
    const { method = '' } = request;
    const path = toRouterPath(target, deps.hosts.resolve(host, onlyRole));
    const found = path === undefined ? null : router.find(READING.has(method) ? 'GET' : 'POST', path);
    if (found === null) return rejecting(noRoute);
    const endpointOf: EndpointOf = found.store;
    const { route, pattern, answer } = endpointOf(method);
    exchange.route = route;
    exchange.pattern = pattern;
    exchange.params = found.params;
    return answer;
  };
}

/** The router finds what is stored with a path, and calls nobody. */
function unused(): void {}

function rejecting(fault: () => Fault): Answer {
  return () => Promise.reject(fault());
}

function endpointsOf(pattern: string, routes: readonly Route[], deps: AppDeps): EndpointOf {
  const byMethod = new Map<string, Endpoint>();
  for (const route of routes) {
    const endpoint = { route, pattern, answer: (exchange: Exchange) => runRoute(route, exchange, deps) };
    for (const method of route.methods) if (!byMethod.has(method)) byMethod.set(method, endpoint);
  }
  const open = routes.find((route) => route.cors);
  const rejected = {
    route: open,
    pattern,
    answer: (exchange: Exchange) => rejectMethod(routes, exchange, deps),
  };
  if (open !== undefined) {
    const methods = [...byMethod.keys()];
    const handle = ({ request }: RequestContext) => preflightResponse(methods, request);
    const preflight = { ...open, handle };
    byMethod.set('OPTIONS', { ...rejected, answer: (exchange) => runRoute(preflight, exchange, deps) });
  }
  return (method) => byMethod.get(method) ?? rejected;
}

function rejectMethod(routes: readonly Route[], { request, response }: Exchange, deps: AppDeps): never {
  const served = routes.filter((route) => isServed(route, request, deps));
  if (served.length === 0) throw noRoute();
  const methods = [...new Set(served.flatMap((route) => route.methods))];
  const isOpen = served.some((route) => route.cors);
  response.setHeader('allow', [...methods, ...(isOpen ? ['OPTIONS'] : [])].join(', '));
  const name = served[0]?.errors === 'account' ? 'invalidRequestMethod' : 'methodNotAllowed';
  throw new Fault(name, { hint: `use ${methods.join(' or ')}` });
}

/**
 * Answers unknown paths beside the account calls with errors in the form of those calls. Otherwise a mistyped call would be
 * taken for the download of an object, with a wrong method.
 */
function unknownAccountCall(pattern: string, beside: readonly Route[], deps: AppDeps): Endpoint {
  const isHere = ({ request }: Exchange) => beside.some((route) => isServed(route, request, deps));
  const answer = (exchange: Exchange) =>
    Promise.reject(isHere(exchange) ? new Fault('noSuchCall') : noRoute());
  return { route: undefined, pattern, answer };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Prefixes of hosts begin with this: in a path they would let a client choose which host it came to. */
const HOST_PREFIX = '/~';

/** Undefined if no route can have it. */
export function toRouterPath(target: string, host: ResolvedHost): string | undefined {
  const end = target.indexOf('?');
  const path = (end < 0 ? target : target.slice(0, end)).replaceAll('%', '_');
  if (!path.startsWith('/')) return undefined;
  // S3 reads bucket and key from the raw target.
  if (host.kind === 's3') return `${S3_PREFIX}${host.bucket ?? ''}`;
  if (host.kind === 'console') return `${CONSOLE_PREFIX}${path}`;
  if (host.kind === 'bucket') return `${BY_BUCKET_HOST}${host.bucket}${path}`;
  if (host.kind === 'domain') return `${DOMAIN_PREFIX}${host.domain}${path}`;
  return path.startsWith(HOST_PREFIX) ? undefined : path;
}
