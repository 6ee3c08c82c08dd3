/** Health, readiness and metrics, on a listener of their own that is not for users. */
import { createServer, type Server } from 'node:http';
import { isIP } from 'node:net';
import type { Metrics } from '../platform/metrics.ts';
import { authorityOf } from './authority.ts';

export interface AdminDeps {
  /** Whether it can be reached from this machine only: then nobody has a reason to ask by a name. */
  readonly isLocal: boolean;
  readonly metrics: Metrics;
  /** Resolves when a request could be served now, with what does not work all the same; rejects with the reason. */
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
      answer(403, 'text/plain', 'ask by the address, or as localhost\n');
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
        answer(404, 'text/plain', 'there is /healthz, /readyz and /metrics\n');
    }
  });
}

/** A page whose name its owner lets point here, once it is open in somebody's browser, asks by that name. */
function isOwnName(host: string): boolean {
  const name = host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
  return name === '' || name.toLowerCase() === 'localhost' || isIP(name) !== 0;
}

/** A load balancer goes by the status: requests that need none of this are served. */
function readyText(degraded: readonly string[]): string {
  return ['ready', ...degraded.map((fault) => `degraded: ${fault}`), ''].join('\n');
}
