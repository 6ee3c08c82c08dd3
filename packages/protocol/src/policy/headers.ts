/** Response headers in a policy: the signer's values override the client's. */
import {
  MAX_RESPONSE_HEADERS_BYTES,
  pairsBytes,
  type ResponseHeaders,
  responseHeaderFault,
  responseHeaderName,
  responseHeaderNames,
} from '../http/response-headers.ts';
import { refuse } from './refuse.ts';

export function readHeaders(field: string, value: unknown): ResponseHeaders {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse(`${field} must be an object of header names and values`);
  const read = new Map<string, string>();
  for (const [given, text] of Object.entries(value as Record<string, unknown>)) {
    const name = responseHeaderName(given);
    if (name === undefined) throw refuse(`${field} may name ${responseHeaderNames.join(', ')}`);
    if (read.has(name)) throw refuse(`${field} names ${name} twice`);
    if (typeof text !== 'string') throw refuse(`${field}: ${name} must be a string`);
    const fault = text === '' ? undefined : responseHeaderFault(name, text);
    if (fault !== undefined) throw refuse(`${field}: ${fault}`);
    read.set(name, text);
  }
  const headers: Record<string, string> = Object.fromEntries(read);
  if (pairsBytes(headers) > MAX_RESPONSE_HEADERS_BYTES)
    throw refuse(`${field} has more than ${MAX_RESPONSE_HEADERS_BYTES} bytes`);
  return headers;
}
