/** From JSON to fields: every value has its type and is within its limits, or the policy is refused. */
import { tryDecodeBase64 } from '../base64.ts';
import {
  MAX_RESPONSE_HEADERS_BYTES,
  pairsBytes,
  type ResponseHeaders,
  responseHeaderName,
  responseHeaderNames,
  responseHeaderProblem,
} from '../http/response-headers.ts';
import { decodeUtf8, utf8Length } from '../utf8.ts';
import { type PolicyField, type PolicyFields, policyFields } from './fields.ts';
import { invalidPolicy } from './refuse.ts';

export const MAX_POLICY_BYTES = 256 * 1024;

const table: ReadonlyMap<string, PolicyField> = new Map(Object.entries(policyFields));

export function readPolicy(policy: string | Uint8Array): PolicyFields {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(decodePolicy(policy))) {
    const field = table.get(name);
    if (field === undefined || field.ignored === true) continue;
    // Signers write unset fields as null or empty text.
    if (value !== null && value !== '') values[name] = readValue(name, field, value);
  }
  return values as PolicyFields;
}

function decodePolicy(policy: string | Uint8Array): object {
  if (policy.length > MAX_POLICY_BYTES * 1.5) throw invalidPolicy('too long');
  const bytes = typeof policy === 'string' ? tryDecodeBase64(policy) : policy;
  if (bytes === undefined) throw invalidPolicy('not URL-safe Base64');
  if (bytes.length > MAX_POLICY_BYTES) throw invalidPolicy('too long');
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalidPolicy('not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidPolicy('not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidPolicy('not a JSON object');
  return value;
}

function readValue(name: string, field: PolicyField, value: unknown): PolicyFields[keyof PolicyFields] {
  switch (field.type) {
    case 'text':
      return readText(name, field, value);
    case 'integer':
      return readInteger(name, field, value);
    case 'flag':
      if (value === true || value === 1) return true;
      if (value === false || value === 0) return false;
      throw invalidPolicy(`${name} must be true or false`);
    case 'texts': {
      if (!Array.isArray(value)) throw invalidPolicy(`${name} must be a list of strings`);
      const most = field.maxEntries ?? 0;
      if (value.length === 0 || value.length > most)
        throw invalidPolicy(`${name} must have 1 to ${most} entries`);
      return value.map((entry) => readText(name, field, entry));
    }
    case 'headers':
      return readHeaders(name, value);
  }
}

function readText(name: string, field: PolicyField, value: unknown): string {
  if (typeof value !== 'string') throw invalidPolicy(`${name} must be a string`);
  // A lone surrogate has no UTF-8 form: it could neither be stored nor compared.
  if (!value.isWellFormed()) throw invalidPolicy(`${name} is not valid Unicode`);
  if (field.maxBytes !== undefined && utf8Length(value) > field.maxBytes) {
    throw invalidPolicy(`${name} is longer than ${field.maxBytes} bytes`);
  }
  return value;
}

function readInteger(name: string, field: PolicyField, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw invalidPolicy(`${name} must be a whole number`);
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = field;
  if (value < min || value > max) {
    if (name === 'deadline' && value > max)
      throw invalidPolicy('deadline must be in seconds: this looks like milliseconds');
    throw invalidPolicy(`${name} must be from ${min} to ${max}`);
  }
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

/** Response headers in a policy: the signer's values override the client's. */
function readHeaders(field: string, value: unknown): ResponseHeaders {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidPolicy(`${field} must be an object of header names and values`);
  const read = new Map<string, string>();
  for (const [given, text] of Object.entries(value as Record<string, unknown>)) {
    const name = responseHeaderName(given);
    if (name === undefined) throw invalidPolicy(`${field} may name ${responseHeaderNames.join(', ')}`);
    if (read.has(name)) throw invalidPolicy(`${field} names ${name} twice`);
    if (typeof text !== 'string') throw invalidPolicy(`${field}: ${name} must be a string`);
    const fault = text === '' ? undefined : responseHeaderProblem(name, text);
    if (fault !== undefined) throw invalidPolicy(`${field}: ${fault}`);
    read.set(name, text);
  }
  const headers: Record<string, string> = Object.fromEntries(read);
  if (pairsBytes(headers) > MAX_RESPONSE_HEADERS_BYTES)
    throw invalidPolicy(`${field} has more than ${MAX_RESPONSE_HEADERS_BYTES} bytes`);
  return headers;
}
