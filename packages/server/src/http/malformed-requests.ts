/**
 * Answers input that never became a request: broken HTTP, headers that are too long, a body that did not arrive in time. SDKs
 * take an answer without a request id for another server's, so these answers carry one too.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Fault } from '@millpond/protocol';
import { faultResponse, REQUEST_ID_HEADER } from '../platform/web/index.ts';

/** The peer closed its sending side in the middle of a request. It may still be reading. */
const BROKEN_OFF = 'HPE_INVALID_EOF_STATE';
/** A client that does not read the answer within this time does not get it. */
const TAKEN_MS = 5_000;

export function answerMalformedRequest(
  error: Error & { readonly code?: string },
  socket: Socket,
  nameRefused: (fault: Fault, isBrokenOff: boolean) => string,
): void {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy(error);
    return;
  }
  const fault = brokenFault(error.code);
  const { status, headers, body } = faultResponse(fault);
  const lines = [
    // With words: there are clients (boto3) that, without them, take the next line for the status.
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    `${REQUEST_ID_HEADER}: ${nameRefused(fault, error.code === BROKEN_OFF)}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  const timer = setTimeout(() => socket.destroy(), TAKEN_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function brokenFault(code: string | undefined): Fault {
  if (code === BROKEN_OFF) return new Fault('invalidArgument', { hint: 'the request ended early' });
  if (code === 'HPE_HEADER_OVERFLOW') return new Fault('headersTooLarge');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Fault('requestTimeout');
  return new Fault('invalidArgument', { hint: 'this is not valid HTTP (RFC 9112)' });
}
