/** The client as its users see it. */
import type { AddressGuardOptions } from './address.ts';
import type { OutboundBody } from './body.ts';
import type { ExchangeLimits, OutboundHeaders } from './exchange.ts';
import type { BlockedTarget } from './faults.ts';
import type { Resolver } from './resolver.ts';
import type { CheckedUrl } from './target.ts';

/** `allow` and `ownListeners` come from AddressGuardOptions. */
export interface OutboundClientOptions extends AddressGuardOptions {
  /** Ports that URLs may name. Default: any, because self-hosters' receivers listen anywhere. */
  readonly ports?: 'any' | readonly number[] | undefined;
  /**
   * Whether we serve this name: no URL or Host from a user may be one of ours. Called with `host` and `host:port`, lower case,
   * no trailing dot, IPv6 addresses in brackets.
   */
  readonly isOwnHost?: ((host: string) => boolean) | undefined;
  /** `http(s)://[user:password@]host:port` of a CONNECT proxy, which must then judge addresses itself. */
  readonly proxy?: string | undefined;
  /** PEM; trusted instead of this machine's own authorities. */
  readonly certificateAuthority?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly resolve?: Resolver | undefined;
  /** Default 128: a callback that takes a tenth of a second must not limit uploads to a few per second. */
  readonly connectionsPerOrigin?: number | undefined;
  /** Requests that may wait for a connection. Default 256. */
  readonly waitingPerOrigin?: number | undefined;
  /** Pools kept at once. Default 256. */
  readonly maxOrigins?: number | undefined;
  /** For the audit log: a host or an address was refused. */
  readonly onBlocked?: ((blocked: BlockedTarget) => void) | undefined;
}

export interface OutboundClientLimits extends ExchangeLimits {
  /** Name lookup, connection and TLS together. */
  readonly connectMs: number;
  /** From the call to the last byte of the answer, including redirects and waiting. */
  readonly totalMs: number;
  readonly maxHeaderBytes: number;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Connection headers, Host and Accept-Encoding are the client's own and are refused here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  /** `host[:port]` for the Host header and TLS; the connection still goes where the URL says. */
  readonly hostOverride?: string | undefined;
  readonly limits: OutboundClientLimits;
  /** Whose request it is: at a host that many use, parties take turns. */
  readonly party?: bigint | undefined;
  /** How many to follow, GET and HEAD only. Default 0: a redirect is an answer like any other. */
  readonly redirects?: 0 | 1 | 2 | 3 | undefined;
  /**
   * Whether a body may end with its connection, so that nobody can tell if it is complete. Default: yes for `send`, whose
   * callers check the result; no for `open`, whose callers keep it.
   */
  readonly acceptUnsized?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with all headers of the request, the client's own included, before it is sent; for each redirect again. */
  readonly onHead?: ((headers: readonly (readonly [name: string, value: string])[]) => void) | undefined;
}

interface ResponseHead {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: OutboundHeaders;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

export interface OutboundResponse extends ResponseHead {
  readonly body: Buffer;
}

export interface StreamingResponse extends ResponseHead {
  /** Must be read to its end or cancelled. */
  readonly body: OutboundBody;
}

export interface OutboundClient {
  /** Checks a URL (and Host) without looking anything up; for refusing it when it is given. */
  check(url: string, hostOverride?: string): CheckedUrl;
  /** The whole answer in memory, up to maxBodyBytes; any status is an answer. */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** Resolves with the head of the answer; the body is read as it arrives, exactly as sent, never decompressed. */
  open(request: OutboundRequest): Promise<StreamingResponse>;
  /** Closes idle connections and lets calls under way finish. */
  close(): Promise<void>;
}
