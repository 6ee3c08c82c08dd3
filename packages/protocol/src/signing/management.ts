/**
 * The management signature: method, target, Host, Content-Type, the dialect's own headers and the body. It is built
 * from the request as it is on the wire, so a verifier passes in what it received and normalises nothing.
 */
import type { Dialect } from '../dialect.ts';
import type { HashInput, Hashing, SecretKey } from '../hashing.ts';
import { type HeaderList, headersWithPrefix } from './headers.ts';
import { type AccessKeyPair, assertSingleLine, signedTarget, signText, verifyText } from './hmac.ts';
import { FORM_TYPE } from './legacy-management.ts';

export interface ManagementRequest {
  readonly method: string;
  /** The raw request target, `path[?query]`. */
  readonly target: string;
  /** The Host header, with its port if it has one. */
  readonly host: string;
  /** The port that the request came to, for a verifier: it may be signed, and missing from the Host. */
  readonly port?: number | undefined;
  readonly contentType: string | undefined;
  readonly headers: HeaderList;
  readonly body: Uint8Array | undefined;
}

/** Bodies of this type are never signed. */
const UNSIGNED_TYPE = 'application/octet-stream';
const JSON_TYPE = 'application/json';
const PORT = /:[0-9]+$/;

export function managementStringToSign(request: ManagementRequest, dialect: Dialect): HashInput[] {
  return joinText(request, request.host, headerLines(request, dialect), signedBody(request));
}

/** The documented text first, then the forms that clients of the dialect are known to sign instead. */
export function managementCandidates(request: ManagementRequest, dialect: Dialect): HashInput[][] {
  const hosts = [request.host];
  const doubled = dialect.toleratesDoubledPort ? withDoubledPort(request.host) : undefined;
  if (doubled !== undefined) hosts.push(doubled);
  if (dialect.toleratesMissingPort && request.port !== undefined && !PORT.test(request.host))
    hosts.push(`${request.host}:${request.port}`);
  const bodies = [signedBody(request)];
  const type = request.contentType;
  if (dialect.toleratesUnsignedBody && bodies[0] !== undefined && type !== FORM_TYPE && type !== JSON_TYPE) {
    bodies.push(undefined);
  }
  const lines = headerLines(request, dialect);
  return bodies.flatMap((body) => hosts.map((host) => joinText(request, host, lines, body)));
}

/** The value of the Authorization header. */
export function signManagement(
  hashing: Hashing,
  keys: AccessKeyPair,
  request: ManagementRequest,
  dialect: Dialect,
): string {
  return `${dialect.scheme} ${signText(hashing, keys, managementStringToSign(request, dialect))}`;
}

export function verifyManagement(
  hashing: Hashing,
  secretKey: SecretKey,
  request: ManagementRequest,
  signature: Uint8Array,
  dialect: Dialect,
): boolean {
  return managementCandidates(request, dialect).some((text) =>
    verifyText(hashing, secretKey, text, signature),
  );
}

/** Whether the documented text of a request includes its body, so that it can't be replaced. */
export function isBodySigned(request: ManagementRequest): boolean {
  return signedBody(request) !== undefined;
}

function joinText(
  { method, target }: ManagementRequest,
  host: string,
  lines: string,
  body: Uint8Array | undefined,
): HashInput[] {
  const head = `${assertSingleLine(method).toUpperCase()} ${signedTarget(target)}\nHost: ${assertSingleLine(host)}\n${lines}\n`;
  return body === undefined ? [head] : [head, body];
}

/** Reads the headers once: a caller may pass an iterator that can't be read again. */
function headerLines({ contentType, headers }: ManagementRequest, dialect: Dialect): string {
  let lines = contentType ? `Content-Type: ${assertSingleLine(contentType)}\n` : '';
  for (const [name, value] of headersWithPrefix(headers, dialect.headerPrefix)) {
    lines += `${assertSingleLine(name)}: ${assertSingleLine(value)}\n`;
  }
  return lines;
}

function signedBody({ contentType, body }: ManagementRequest): Uint8Array | undefined {
  if (!contentType || contentType === UNSIGNED_TYPE) return undefined;
  return body?.length ? body : undefined;
}

function withDoubledPort(host: string): string | undefined {
  const port = PORT.exec(host)?.[0];
  return port === undefined ? undefined : host + port;
}
