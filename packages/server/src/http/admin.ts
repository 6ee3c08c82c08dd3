/** Health, readiness and metrics, on a separate listener that is not for users. */
import { createServer, type Server } from 'node:http';
import { isIP } from 'node:net';
import type { Metrics } from '@millpond/base';
import { authorityOf } from './authority.ts';

export interface AdminDeps {
  /** Whether it is reachable from this machine only: then there is no reason to address it by name. */
  readonly isLocal: boolean;
  readonly metrics: Metrics;
  /** Resolves when a request could be served now, with the parts that are degraded; rejects with the reason. */
  readonly checkReady: () => Promise<readonly string[]>;
}

export function buildAdmin({ isLocal, metrics, checkReady }: AdminDeps): Server {
  return createServer({ requireHostHeader: false }, (request, response) => {
    const answer = (status: number, type: string, body: string) =>
      response
        .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
        .end(body);
    const failed = (error: Error) => answer(503, 'text/plain', `not ready: ${error.message}\n`);
    const authority = authorityOf(request);
    if (authority.host === undefined) {
      answer(400, 'text/plain', `${authority.hint}\n`);
      return;
    }
    if (isLocal && !isOwnName(authority.host)) {
      answer(403, 'text/plain', 'use the address or localhost as the host\n');
      return;
    }
    switch (authority.target) {
      case '/healthz':
        answer(200, 'text/plain', 'ok\n');
        break;
      case '/readyz':
        checkReady().then((degraded) => answer(200, 'text/plain', readyText(degraded)), failed);
        break;
      case '/metrics':
        metrics.text().then((text) => answer(200, metrics.contentType, text), failed);
        break;
      default:
        answer(404, 'text/plain', 'the paths are /healthz, /readyz and /metrics\n');
    }
  });
}

/** DNS rebinding: the owner of a web page can point its name here; a browser that has the page open then sends that name. */
function isOwnName(host: string): boolean {
  const name = host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
  return name === '' || name.toLowerCase() === 'localhost' || isIP(name) !== 0;
}

/** Load balancers go by the status, and requests that need none of the degraded parts are still served. */
function readyText(degraded: readonly string[]): string {
  return ['ready', ...degraded.map((fault) => `degraded: ${fault}`), ''].join('\n');
}
