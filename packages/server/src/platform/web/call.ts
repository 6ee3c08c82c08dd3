/**
 * What a route's handler receives and returns. A handler either returns an `HttpResponse`, throws a `Fault`, or takes over the raw
 * response (`call.takeOver()`) to stream bytes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MemoryReservation } from '@millpond/base';
import { clientNetwork } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import type { ArrivingBody } from './body-pace.ts';
import { announcesBody, type BodyLimit, type BodyLimits, hasBody, holdBody } from './buffered-body.ts';
import { type Peer, type ProxyTrust, peerOf } from './peer.ts';
import type { CallSession } from './session.ts';
import { parseTarget, type Target } from './web.target.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the log: why it is not a success, if no fault says so. */
  readonly why?: string;
}

const EMPTY_BODY = Buffer.alloc(0);
const JSON_TYPE = { 'content-type': 'application/json' };
const EMPTY: HttpResponse = { status: 200, headers: JSON_TYPE, body: '' };

/** 200 with an empty body; the interface still gives it a JSON content type. */
export function emptyResponse(): HttpResponse {
  return EMPTY;
}

export function jsonResponse<Body = unknown>(
  body: Body,
  options: { status?: number; headers?: Record<string, string> } = {},
): HttpResponse {
  const headers = options.headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...options.headers };
  return { status: options.status ?? 200, headers, body: JSON.stringify(body) };
}

/** What the router knows about a request. */
export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly id: string;
  /** Path and query as received, without the host of a target in absolute form. */
  readonly target: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Set if the client waits to be told that its body is wanted. If refused before, it may send the body or not. */
  awaitsContinue?: boolean;
}

export class RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reqid: string;
  /** The request target as received. */
  readonly target: Target;
  /** Set for a call by way of the console. */
  session: CallSession | undefined;
  /** Set by code that writes the call into the audit log itself. */
  isAudited = false;
  /** Set if the client asks for it: refusals are then plain text, too. */
  answersInPlainText = false;
  readonly #pattern: readonly string[];
  readonly #routed: RoutedRequest;
  readonly #trust: ProxyTrust;
  readonly #limits: BodyLimits;
  readonly #arriving: ArrivingBody | undefined;
  #body: Buffer | undefined;
  #bodyShare: MemoryReservation | undefined;
  #cancel: AbortController | undefined;
  #peer: Peer | undefined;
  #takenOver = false;
  #host: string | undefined;

  constructor(
    routed: RoutedRequest,
    response: ServerResponse,
    trust: ProxyTrust,
    limits: BodyLimits,
    arriving?: ArrivingBody,
    /** The path of the matched route. */
    pattern = '',
  ) {
    this.request = routed.request;
    this.response = response;
    this.reqid = routed.id;
    this.target = parseTarget(routed.target);
    this.#pattern = pattern.split('/');
    this.#routed = routed;
    this.#trust = trust;
    this.#limits = limits;
    this.#arriving = arriving;
    if (!hasBody(routed.request)) this.#body = EMPTY_BODY;
  }

  /** The whole body, once it has been read. */
  get body(): Buffer {
    if (this.#body === undefined) throw new Error('the body has not been read');
    return this.#body;
  }

  /**
   * Reads the whole body into memory, for routes that do not stream it. Code that authenticates callers calls this as soon as
   * there is a credential to believe: a request without one costs nothing but its headers. The memory is charged to the
   * request's origin, not to the account that it names: otherwise anyone who knows an access key could use up what its owner
   * may hold.
   */
  readBody(): Promise<void> {
    return this.#hold(this.#limits.account);
  }

  /** The same for calls that need no account. */
  readOpenBody(): Promise<void> {
    return this.#hold(this.#limits.open);
  }

  /** Once the caller is known, the body's memory is charged to its tenant too, wherever its calls come from. */
  chargeBody(tenant: bigint): void {
    this.#bodyShare?.charge(`tenant ${tenant}`);
  }

  async #hold(limit: BodyLimit): Promise<void> {
    if (this.#body !== undefined) return;
    this.wantBody();
    const holders = [clientNetwork(this.peer.address)];
    const { bytes, share } = await holdBody(this.request, limit, holders, this.tooSlow);
    this.#body = bytes;
    this.#bodyShare = share;
    const release = () => share.release();
    if (this.response.closed) release();
    else this.response.once('close', release);
  }

  /** For code that streams the body: aborted when the body is given up because it comes too slowly. */
  get tooSlow(): AbortSignal | undefined {
    return this.#arriving?.slowSignal;
  }

  /** Its token has been accepted: from here on the body may take its time. */
  acceptBody(): void {
    this.#arriving?.accept();
    this.wantBody();
  }

  /** For a body that carries its own credentials: it is wanted, and must hurry until it is accepted. */
  wantBody(): void {
    if (!this.#routed.awaitsContinue) return;
    this.#routed.awaitsContinue = false;
    this.response.writeContinue();
  }

  /** For a body that somebody who forwards a signed request could have added. */
  ignoreBody(): void {
    this.#body = EMPTY_BODY;
  }

  /** The path segment at `:name` in the route, as received: nothing is decoded. */
  segment(name: string): string {
    const at = this.#pattern.indexOf(`:${name}`);
    if (at < 0) throw new Error(`the route has no :${name}`);
    return this.target.path.split('/')[at] ?? '';
  }

  /** A parameter that the server itself put into the path; the client's are in the raw target. */
  parameter(name: string): string {
    return this.#routed.params[name] ?? '';
  }

  get host(): string {
    return this.#host ?? this.request.headers.host ?? '';
  }

  /** The host of the role that answers, for a call that came by another one. */
  set host(name: string) {
    this.#host = name;
  }

  get peer(): Peer {
    this.#peer ??= peerOf(this.request, this.#trust);
    return this.#peer;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Aborted if the client disconnects before it has its answer. Created on first use: most calls need none. */
  get cancel(): AbortSignal {
    if (this.#cancel === undefined) {
      const controller = new AbortController();
      this.#cancel = controller;
      const gone = () => {
        if (!this.response.writableFinished)
          controller.abort(new Fault('requestTimeout', { detail: 'the client disconnected' }));
      };
      if (this.response.destroyed) gone();
      else this.response.once('close', gone);
    }
    return this.#cancel.signal;
  }

  get takenOver(): boolean {
    return this.#takenOver;
  }

  takeOver(): ServerResponse {
    this.#takenOver = true;
    // The handler will not read the rest of the body, and Node would discard any amount of it while it keeps the connection.
    if (announcesBody(this.request) && !this.request.complete) this.response.shouldKeepAlive = false;
    return this.response;
  }
}
