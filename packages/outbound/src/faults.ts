/**
 * The one error of this folder. Its kind is for code, its detail for people: it may be shown to the user who gave the
 * URL, so it names no resolved address, no header and no URL. What only operators may see is in `blocked` and `cause`.
 */

/**
 * - blocked: the URL, its host or its address is not allowed; nothing was sent
 * - resolve: the host name has no address
 * - connect: no connection, or it was lost before an answer came
 * - timeout: one of the deadlines passed
 * - tls: the certificate or the handshake
 * - protocol: an answer that is not HTTP as we accept it, or too many redirects
 * - truncated: the body was cut short
 * - tooLarge: more body or header bytes than allowed
 * - aborted: our side gave up
 */
export type OutboundFaultKind =
  | 'blocked'
  | 'resolve'
  | 'connect'
  | 'timeout'
  | 'tls'
  | 'protocol'
  | 'truncated'
  | 'tooLarge'
  | 'aborted';

/** Why something was blocked, for the audit log; never for the user, who could use it to map a network. */
export interface BlockedTarget {
  readonly host: string;
  /** The denied address, if the check got that far. */
  readonly address: string | undefined;
  readonly reason: string;
}

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundFaultKind;
  readonly detail: string;
  readonly blocked: BlockedTarget | undefined;
  /** For 'blocked': the text is no URL or no host that could be asked, whatever is allowed. */
  readonly isMalformed: boolean;

  constructor(
    kind: OutboundFaultKind,
    detail: string,
    options: { cause?: unknown; blocked?: BlockedTarget; isMalformed?: boolean } = {},
  ) {
    super(`${kind}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.detail = detail;
    this.blocked = options.blocked;
    this.isMalformed = options.isMalformed ?? false;
  }
}

/** Our name for ECONNRESET, see connector.ts. */
export const CONNECTION_RESET = 'OUTBOUND_RESET';

const LOST = new Set([CONNECTION_RESET, 'ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);
const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|UND_ERR_PRX_TLS)/;
const BAD_ANSWERS = new Set(['bad response', 'bad upgrade']);

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Converts what undici reports of a failed request. `answered`: the head of the answer had arrived. */
export function exchangeFault(error: Error, answered: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const unreadable = error.name === 'HTTPParserError';
  // A parser error holds the input that it could not read: a stranger's bytes, which do not belong in a log.
  const fault = (kind: OutboundFaultKind, detail: string): OutboundError =>
    new OutboundError(kind, detail, unreadable ? {} : { cause: error });
  const short = code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  if (answered && (short || (unreadable && error.message.includes('EOF'))))
    return fault('truncated', 'the answer ended too early');
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return fault('tooLarge', 'the headers of the answer are too large');
  if (unreadable || short || BAD_ANSWERS.has(error.message))
    return fault('protocol', 'the answer is not valid HTTP');
  if (LOST.has(code))
    return answered
      ? fault('truncated', 'the connection was lost during the answer')
      : fault('connect', 'the connection was lost before an answer came');
  if (TIMEOUT_CODES.has(code)) return fault('timeout', 'the host did not answer in time');
  if (TLS.test(code)) return fault('tls', `the TLS handshake failed (${code})`);
  if (code === 'UND_ERR_INVALID_ARG') return fault('protocol', 'the request cannot be written as HTTP');
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return fault('aborted', 'the client was closed');
  if (code === 'UND_ERR_ABORTED' || code.startsWith('UND_ERR_PRX'))
    return fault('connect', 'the proxy did not open a connection');
  return fault('connect', connectDetail(code));
}

export function connectDetail(code: string): string {
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  return /^E[A-Z]{2,16}$/.test(code) ? `no connection (${code})` : 'no connection';
}
