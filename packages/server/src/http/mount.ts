/** The routes of a listener's roles, each path with all its methods: those that nobody answers are refused in the path's own form. */
import { Fault } from '@millpond/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isRoleReachable, type Listener, type Role } from '../config/listeners.ts';
import { preflightResponse, type RequestContext, type Route } from '../platform/web/index.ts';
import type { AppDeps } from './app-deps.ts';
import type { RoutedMethods } from './methods.ts';
import { isServed, noRoute, rolesOf, runRoute, sendError } from './run-route.ts';

/** Methods of a download. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function mount(app: FastifyInstance, listener: Listener, deps: AppDeps, { all }: RoutedMethods): void {
  const isConsole = isRoleReachable({ listen: [listener], hosts: deps.config.hosts }, 'console');
  const carried = deps.routes.filter(
    (route) =>
      rolesOf(route).some((role) => listener.roles.has(role as Role)) &&
      (route.role !== 'console' || isConsole),
  );
  const byPath = Map.groupBy(carried, (route) => route.path);
  mountUnknownAccountCalls(app, carried, deps, all);
  for (const [url, routes] of byPath) {
    const taken = new Set<string>();
    for (const route of routes) {
      const method = route.methods.filter((name) => !taken.has(name));
      for (const name of method) taken.add(name);
      app.route({
        method,
        url,
        config: { route },
        handler: (request, reply) => runRoute(route, request, reply, deps),
      });
    }
    const open = routes.find((route) => route.cors);
    if (open !== undefined) {
      const handle = ({ request }: RequestContext) => preflightResponse(taken, request);
      app.route({
        method: 'OPTIONS',
        url,
        config: { route: open },
        handler: (request, reply) => runRoute({ ...open, handle }, request, reply, deps),
      });
    }
    const others = all.filter((method) => !taken.has(method) && (method !== 'OPTIONS' || open === undefined));
    app.route({
      method: others,
      url,
      config: open === undefined ? {} : { route: open },
      handler: (request, reply) => rejectMethod(routes, request, reply, deps),
    });
  }
}

function rejectMethod(
  routes: readonly Route[],
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AppDeps,
): void {
  const served = routes.filter((route) => isServed(route, request.raw, deps));
  if (served.length === 0) {
    sendError(request, reply, noRoute(), deps);
    return;
  }
  const methods = [...new Set(served.flatMap((route) => route.methods))];
  const isOpen = served.some((route) => route.cors);
  reply.raw.setHeader('allow', [...methods, ...(isOpen ? ['OPTIONS'] : [])].join(', '));
  const name = served[0]?.errors === 'account' ? 'invalidRequestMethod' : 'methodNotAllowed';
  sendError(request, reply, new Fault(name, { hint: `use ${methods.join(' or ')}` }), deps);
}

/**
 * Answers unknown paths beside the account calls with errors in the form of those calls. Otherwise a mistyped call would be
 * taken for the download of an object, with a wrong method.
 */
function mountUnknownAccountCalls(
  app: FastifyInstance,
  routes: readonly Route[],
  deps: AppDeps,
  all: readonly string[],
): void {
  const accountRoutes = routes.filter((route) => route.errors === 'account');
  for (const [folder, beside] of Map.groupBy(accountRoutes, ({ path }) => folderOf(path))) {
    const looks = beside.some(({ methods }) => methods.includes('GET'));
    // A bucket may have the same name as the folder, and be read.
    const method = all.filter((name) => looks || !READING.has(name));
    const url = `${folder}*`;
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const isHere = beside.some((route) => isServed(route, request.raw, deps));
      sendError(request, reply, isHere ? new Fault('noSuchCall') : noRoute(), deps);
    };
    app.route({ method, url, handler });
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
