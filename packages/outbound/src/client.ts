/**
 * The one client for every URL that a user gives. It checks the URL, the addresses and each redirect, enforces all deadlines
 * and sizes, and adds no credentials or cookies. Every rejection is an OutboundError.
 */
import { isIP } from 'node:net';
import { currentTrace } from '@millpond/base';
import { createAddressGuard } from './address.ts';
import { collect } from './body.ts';
import { checkAddress } from './connector.ts';
import { type ExchangeResponse, startExchange } from './exchange.ts';
import { OutboundError } from './faults.ts';
import type { OutboundClient, OutboundClientOptions, OutboundRequest, StreamingResponse } from './options.ts';
import { createPools } from './pools.ts';
import { systemResolver } from './resolver.ts';
import {
  type CheckedUrl,
  parseCheckedUrl,
  parseHostOverride,
  serverNameOf,
  type TargetRules,
} from './target.ts';

/** Headers that the client sets itself, or that would change how the connection is used. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
  'proxy-authorization',
  'proxy-connection',
]);
/** Not sent on to another origin. */
const PERSONAL_HEADERS = new Set(['authorization', 'cookie']);

interface Hop {
  readonly target: CheckedUrl;
  readonly hostOverride: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function createOutboundClient(options: OutboundClientOptions = {}): OutboundClient {
  const guard = createAddressGuard(options);
  const rules: TargetRules = {
    ports: options.ports ?? 'any',
    isOwnHost: options.isOwnHost ?? (() => false),
  };
  const pools = createPools({
    guard,
    resolve: options.resolve ?? systemResolver,
    certificateAuthority: options.certificateAuthority,
    proxy: options.proxy === undefined ? undefined : proxyUrl(options.proxy),
    connectionsPerOrigin: options.connectionsPerOrigin ?? 128,
    waitingPerOrigin: options.waitingPerOrigin ?? 256,
    maxOrigins: options.maxOrigins ?? 256,
  });
  const agent = options.userAgent ?? 'millpond';

  function reported(error: unknown): unknown {
    if (error instanceof OutboundError && error.blocked) options.onBlocked?.(error.blocked);
    return error;
  }

  /** Addresses written in the URL are judged at once; behind a proxy no other code of ours would. */
  function checkLiteral(target: CheckedUrl): void {
    const { hostname } = target;
    if (isIP(hostname) !== 0) checkAddress(guard, target, hostname);
    else if (options.proxy !== undefined && /(?:^|\.)localhost$/.test(hostname))
      checkAddress(guard, target, '127.0.0.1');
  }

  function firstHop(request: OutboundRequest): Hop {
    const target = parseCheckedUrl(request.url, rules);
    checkLiteral(target);
    const { hostOverride } = request;
    return {
      target,
      hostOverride: hostOverride === undefined ? undefined : parseHostOverride(hostOverride, rules),
      headers: checkedHeaders(request, agent),
    };
  }

  function nextHop(hop: Hop, location: string | string[] | undefined): Hop {
    const target = redirectTarget(hop.target, location, rules);
    checkLiteral(target);
    if (target.origin === hop.target.origin) return { ...hop, target };
    const headers = hop.headers.filter(([name]) => !PERSONAL_HEADERS.has(name));
    return { target, hostOverride: undefined, headers };
  }

  async function ask(
    hop: Hop,
    request: OutboundRequest,
    acceptUnsized: boolean,
    signal: AbortSignal,
  ): Promise<ExchangeResponse> {
    const { target, headers } = hop;
    const { limits, method, body, party } = request;
    const host = hop.hostOverride ?? target.host;
    const { connectMs, maxHeaderBytes } = limits;
    const serverName = serverNameOf(host);
    request.onHead?.([['host', host], ...headers]);
    const key = { origin: target.origin, serverName, connectMs, maxHeaderBytes };
    const lease = await pools.lease(key, party, signal);
    const exchange = {
      origin: target.origin,
      path: target.path,
      headers: ['host', host, ...headers.flat()],
      method,
      body,
      limits,
      acceptUnsized,
      signal,
    };
    return startExchange(lease.dispatcher, exchange, () => lease.release());
  }

  async function open(request: OutboundRequest, acceptUnsized: boolean): Promise<StreamingResponse> {
    const { redirects = 0, method } = request;
    if (redirects > 0 && method !== 'GET' && method !== 'HEAD')
      throw new TypeError('only GET and HEAD follow redirects');
    const deadline = startDeadline(request.limits.totalMs, request.signal);
    try {
      let hop = firstHop(request);
      for (let followed = 0; ; followed++) {
        const answer = await ask(hop, request, acceptUnsized, deadline.signal);
        if (redirects === 0 || !isRedirect(answer.status)) {
          void answer.over.then(() => deadline.clear());
          const { status, headers, body } = answer;
          return { status, headers, body, url: hop.target.origin + hop.target.path };
        }
        answer.body.cancel();
        if (followed === redirects) throw new OutboundError('protocol', 'too many redirects');
        hop = nextHop(hop, answer.headers.location);
      }
    } catch (error) {
      deadline.clear();
      throw reported(error);
    }
  }

  return {
    check(url, hostOverride) {
      try {
        const target = parseCheckedUrl(url, rules);
        checkLiteral(target);
        if (hostOverride !== undefined) parseHostOverride(hostOverride, rules);
        return target;
      } catch (error) {
        throw reported(error);
      }
    },

    open: (request) => noted(request, () => open(request, request.acceptUnsized ?? false)),

    send: (request) =>
      noted(request, async () => {
        const { status, headers, url, body } = await open(request, request.acceptUnsized ?? true);
        return { status, headers, url, body: await collect(body) };
      }),

    close: () => pools.close(),
  };
}

/** A step of the request that asks for it. Where it goes, without the path, which may hold somebody's token. */
async function noted<Answer extends { readonly status: number }>(
  { method, url }: OutboundRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const trace = currentTrace();
  if (trace === undefined) return work();
  const begun = performance.now();
  const name = `${method} ${URL.parse(url)?.origin ?? 'nowhere'}`;
  try {
    const answer = await work();
    trace.step('callback', name, begun, answer.status < 400, `answered ${answer.status}`);
    return answer;
  } catch (error) {
    trace.step('callback', name, begun, false, error instanceof OutboundError ? error.detail : undefined);
    throw error;
  }
}

function checkedHeaders(request: OutboundRequest, agent: string): [string, string][] {
  const headers: [string, string][] = [['accept-encoding', 'identity']];
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (OWN_HEADERS.has(lower)) throw new TypeError(`the header ${lower} is set by the client itself`);
    headers.push([lower, value]);
  }
  if (!headers.some(([name]) => name === 'user-agent')) headers.push(['user-agent', agent]);
  return headers;
}

function proxyUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new TypeError('the outbound proxy must be http(s)://[user:password@]host:port');
  return url.href;
}

/** The time limit of one call: the total deadline and the caller's signal as one signal, whose reason is the fault. */
interface Deadline {
  readonly signal: AbortSignal;
  /** The call is over; cleans up everything. */
  clear(): void;
}

function startDeadline(totalMs: number, signal: AbortSignal | undefined): Deadline {
  const end = new AbortController();
  const onAbort = (): void =>
    end.abort(new OutboundError('aborted', 'the request was cancelled', { cause: signal?.reason }));
  const timer = setTimeout(
    () => end.abort(new OutboundError('timeout', 'the whole exchange took too long')),
    totalMs,
  );
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: end.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Where an answer redirects us, checked like a URL that a user gave. Only for requests without a body. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** Throws OutboundError: 'protocol' without a usable Location, 'blocked' if the rules refuse it. */
function redirectTarget(
  from: CheckedUrl,
  location: string | string[] | undefined,
  rules: TargetRules,
): CheckedUrl {
  const url = typeof location === 'string' ? URL.parse(location, from.origin + from.path) : null;
  if (url === null) throw new OutboundError('protocol', 'a redirect has no valid Location');
  const target = parseCheckedUrl(url.href, rules);
  if (from.secure && !target.secure) {
    const blocked = { host: target.hostname, address: undefined, reason: 'downgrade' };
    throw new OutboundError('blocked', 'a redirect leads from https to http', { blocked });
  }
  return target;
}
