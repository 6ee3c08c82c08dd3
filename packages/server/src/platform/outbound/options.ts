/** The client as its users see it. */
import type { AddressGuardOptions } from './address.ts';
import type { OutboundBody } from './body.ts';
import type { ExchangeLimits, OutboundHeaders } from './exchange.ts';
import type { BlockedTarget } from './faults.ts';
import type { Resolver } from './resolver.ts';
import type { Target } from './target.ts';

/** `allow` and `ownListeners` come from AddressGuardOptions. */
export interface OutboundOptions extends AddressGuardOptions {
  /** Ports that URLs may name. Default: any, because receivers of self-hosters listen anywhere. */
  readonly ports?: 'any' | readonly number[] | undefined;
  /**
   * Whether we serve this name: no URL and no Host of a user may be one of ours. Asked with `host` and `host:port`,
   * lower case, no dot at the end, addresses of IPv6 in brackets.
   */
  readonly isOwnHost?: ((host: string) => boolean) | undefined;
  /** `http(s)://[user:password@]host:port` of a CONNECT proxy, which must then judge addresses itself. */
  readonly proxy?: string | undefined;
  /** PEM; trusted instead of the machine's authorities. */
  readonly certificateAuthority?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly resolve?: Resolver | undefined;
  /** Default 128: a callback that takes a tenth of a second must not bound uploads to a few a second. */
  readonly connectionsPerOrigin?: number | undefined;
  /** Requests that may wait for a connection. Default 256. */
  readonly waitingPerOrigin?: number | undefined;
  /** Pools kept at once. Default 256. */
  readonly maxOrigins?: number | undefined;
  /** For the audit log: a host or an address was refused. */
  readonly onBlocked?: ((blocked: BlockedTarget) => void) | undefined;
}

export interface OutboundLimits extends ExchangeLimits {
  /** Name lookup, connection and TLS together. */
  readonly connectMs: number;
  /** From the call to the last byte of the answer, redirects and waiting included. */
  readonly totalMs: number;
  readonly maxHeaderBytes: number;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Those of the connection, Host and Accept-Encoding are the client's own and are refused here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  /** `host[:port]` for the Host header and TLS; where the connection goes stays the URL's. */
  readonly hostOverride?: string | undefined;
  readonly limits: OutboundLimits;
  /** How many may be followed, GET and HEAD only. Default 0: a redirect is an answer like any other. */
  readonly redirects?: 0 | 1 | 2 | 3 | undefined;
  /**
   * Whether a body may end with its connection, so that nobody can tell if it is whole. Default: yes for `send`,
   * whose callers look at what came; no for `open`, whose callers keep it.
   */
  readonly acceptUnsized?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface AnswerHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: OutboundHeaders;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

export interface OutboundAnswer extends AnswerHead {
  readonly body: Buffer;
}

export interface OpenAnswer extends AnswerHead {
  /** Must be read to its end or cancelled. */
  readonly body: OutboundBody;
}

export interface Outbound {
  /** What can be said of a URL (and Host) without looking anything up; for refusing it when it is given. */
  check(url: string, hostOverride?: string): Target;
  /** The whole answer in memory, up to maxBodyBytes; any status is an answer. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Resolves with the head of the answer; the body is read as it comes, as it was sent, never decompressed. */
  open(request: OutboundRequest): Promise<OpenAnswer>;
  /** Ends idle connections and lets calls under way finish. */
  close(): Promise<void>;
}
