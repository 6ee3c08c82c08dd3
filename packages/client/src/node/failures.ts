/** Why no answer came, in words that name the host: what may pass by itself, and what somebody has to fix. */
import { MillpondError } from '../core/error.ts';

/** Errors of sockets that were never connected. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** A record damaged in transit is a broken connection like any other. */
const HANDSHAKE = /^(?:EPROTO$|ERR_SSL_(?!.*BAD_RECORD_MAC))/;
const NAME = /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/;
const TIME = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/;
const TRUST = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|INVALID_CA)/;

export function failureOf(
  error: NodeJS.ErrnoException,
  url: URL,
  signal: AbortSignal | undefined,
): MillpondError {
  if (error instanceof MillpondError) return error;
  if (signal?.aborted) return new MillpondError('cancelled', 'the call was cancelled', { cause: error });
  const { code = '' } = error;
  const words = url.protocol === 'https:' ? tlsWords(error, url) : undefined;
  if (words !== undefined)
    return new MillpondError('tls', words, { unsent: true, final: true, cause: error });
  if (code === 'ENOTFOUND')
    return new MillpondError('network', `the host ${url.hostname} was not found: is the address right?`, {
      unsent: true,
      final: true,
      cause: error,
    });
  return new MillpondError('network', `no answer from ${url.host}: ${error.message || code}`, {
    unsent: UNSENT.has(code),
    cause: error,
  });
}

function tlsWords(error: NodeJS.ErrnoException, { host }: URL): string | undefined {
  const { code = '', message } = error;
  // OpenSSL errors name places in its source before and after the message.
  const reason = /:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.trim();
  if (NAME.test(code)) return `the certificate of ${host} is for another name: ${reason}`;
  if (TIME.test(code))
    return `the certificate of ${host} is not valid now: ${reason}. Renew it, or correct this machine's clock`;
  if (TRUST.test(code))
    return `the certificate of ${host} is not trusted: ${reason}. If it is your own, set NODE_EXTRA_CA_CERTS=/path/ca.pem, or give the \`ca\` option of nodeTransport`;
  return HANDSHAKE.test(code) ? `TLS with ${host} failed: ${reason}. Does it use http://?` : undefined;
}
