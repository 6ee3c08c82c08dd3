/** Describes every call that this server answers, as OpenAPI, with the hosts that the caller would use. */
import { calls, openApiDocument } from '@millpond/protocol';
import { jsonResponse, type Route } from '../platform/web/index.ts';
import { type RegionHostOptions, RegionHosts } from '../storage/buckets/index.ts';
import { VERSION } from './version.ts';

export function apiDocumentRoute(options: RegionHostOptions, routes: readonly Route[]): Route {
  const hosts = new RegionHosts(options);
  const served = new Set(['api /v1/openapi.json', ...routes.map(({ role, path }) => `${role} ${path}`)]);
  const described = calls.filter(({ role, route }) => served.has(`${role} ${route}`));
  const roles = [...new Set(described.map(({ role }) => role))];
  return {
    role: 'api',
    methods: ['GET'],
    path: '/v1/openapi.json',
    cors: true,
    handle(context) {
      const scheme = context.peer.secure ? 'https' : 'http';
      const asked = { host: context.host, secure: context.peer.secure };
      const servers = roles.flatMap((role) =>
        hosts.of(role, asked).map((host) => ({ role, url: `${scheme}://${host}` })),
      );
      return jsonResponse(openApiDocument(described, VERSION, servers));
    },
  };
}
