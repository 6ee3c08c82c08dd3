/** Turns engine answers and lost connections into our errors, with what a log needs and nothing secret. */
import { childText, readXml } from '@millpond/protocol/s3';
import { BlobStoreUnavailableError } from '../errors.ts';
import { CONNECTION_LOST } from './retry.ts';

const RESET_CODES = new Set(['ECONNRESET', 'EPIPE', 'EPROTO', 'ECONNABORTED', 'WIRE_ENDED']);
const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'WIRE_SLOW']);
const AWAY = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'EMFILE',
]);

/** For an error of the connection; an error that is not the connection's (a sink that threw) passes unchanged. */
export function connectionFault(error: Error, doing: string): Error {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const fault = (what: string, retryable: boolean): Error =>
    new BlobStoreUnavailableError(`${what} (${code}) while ${doing}`, { retryable, cause: error });
  // TLS that broke on the way, or a peer that does not speak TLS.
  if (RESET_CODES.has(code) || code.startsWith('ERR_SSL_')) return fault(CONNECTION_LOST, true);
  if (TIMEOUT_CODES.has(code)) return fault('the engine does not answer', true);
  if (AWAY.has(code)) return fault('the engine cannot be reached', true);
  if (code === 'WIRE_BUSY') return fault('no free connection to the engine', true);
  if (code === 'WIRE_NOT_HTTP') return fault('an answer that is not HTTP', true);
  if (code === 'WIRE_UNTRUSTED')
    return fault(`the certificate of the engine is not trusted: ${error.message}`, false);
  if (code === 'WIRE_CLOSED') return fault('the request was refused before it was sent', false);
  return error;
}

const PASSING_STATUS = new Set([408, 429, 500, 502, 503, 504]);
// BadDigest: the bytes changed on the way, so they may arrive intact the next time.
const PASSING_CODE = new Set([
  'BadDigest',
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'Throttling',
]);

/** For an answer whose status the call did not expect. */
export function responseError(
  status: number,
  body: Uint8Array | undefined,
  doing: string,
): BlobStoreUnavailableError {
  const code = errorCode(body);
  const retryable = PASSING_STATUS.has(status) || (code !== undefined && PASSING_CODE.has(code));
  const said = code === undefined ? `${status}` : `${status} ${code}`;
  return new BlobStoreUnavailableError(`the engine answered ${said} while ${doing}`, { retryable });
}

/** For an answer with the right status and the wrong content; engines may notice a fault after they have sent 200. */
export function contentFault(status: number, body: Uint8Array, doing: string): BlobStoreUnavailableError {
  return new BlobStoreUnavailableError(responseError(status, body, doing).detail, { retryable: true });
}

/** The `Code` of an S3 error body, if it is one. */
export function errorCode(body: Uint8Array | undefined): string | undefined {
  if (body === undefined || body.length === 0) return undefined;
  try {
    const root = readXml(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
    const code = root.name === 'Error' ? childText(root, 'Code') : undefined;
    return code !== undefined && /^\w{1,64}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
