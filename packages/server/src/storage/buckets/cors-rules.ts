/**
 * CORS rules of a bucket: parsing them, and what they allow a page of a given origin. The first matching rule counts.
 * Without rules every origin may read: what a bucket serves to a page it serves to anybody, and cookies are never used.
 */
import { Fault, MAX_CORS_AGE_SECONDS, type WireRecord } from '@millpond/protocol';
import { invalidBodyFault, parseJsonBody, requireJsonObject } from './parse-json-body.ts';

export interface CorsRule {
  /** Only rules set by S3 can have one. */
  readonly id?: string;
  readonly allowed_origin: readonly string[];
  readonly allowed_method: readonly string[];
  readonly allowed_header: readonly string[];
  readonly exposed_header: readonly string[];
  /** Seconds for which a browser need not ask again; 0 if absent. */
  readonly max_age?: number;
}

export interface CorsRequest {
  readonly origin: string;
  readonly method: string;
  /** Names of headers that the page wants to send. */
  readonly headers?: readonly string[];
}

const MAX_RULES = 10;
const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 256;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);
/** Printable, no spaces or commas: it goes into a header. At most one star. */
const PATTERN = /^(?!.*\*.*\*)[!-+\--~]+$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** What applies to a bucket whose owner has set no rules. */
export const DEFAULT_CORS_RULES: readonly CorsRule[] = [
  {
    allowed_origin: ['*'],
    allowed_method: ['GET', 'HEAD'],
    allowed_header: ['*'],
    exposed_header: ['ETag', 'Content-Length', 'Content-Range', 'Last-Modified'],
    max_age: 86_400,
  },
];

export function parseCorsRules(body: Buffer): CorsRule[] {
  const given = parseJsonBody(body);
  if (!Array.isArray(given)) throw invalidBodyFault('the body must be a JSON array of rules');
  if (given.length > MAX_RULES) throw invalidBodyFault(`a bucket may have at most ${MAX_RULES} CORS rules`);
  return given.map(readRule);
}

function readRule(given: unknown): CorsRule {
  const fields = requireJsonObject(given);
  const rule = {
    allowed_origin: texts(fields, 'allowed_origin', PATTERN).map((text) => text.toLowerCase()),
    allowed_method: texts(fields, 'allowed_method', /./).map((text) => text.toUpperCase()),
    allowed_header: texts(fields, 'allowed_header', PATTERN),
    exposed_header: texts(fields, 'exposed_header', HEADER_NAME),
    max_age: fields.max_age ?? 0,
  };
  if (rule.allowed_origin.length === 0 || rule.allowed_method.length === 0)
    throw invalidBodyFault('a rule must have at least one allowed_origin and one allowed_method');
  if (rule.allowed_method.some((method) => !METHODS.has(method)))
    throw invalidBodyFault(`allowed_method must be one of ${[...METHODS].join(', ')}`);
  const { max_age: age } = rule;
  if (typeof age !== 'number' || !Number.isInteger(age) || age < 0 || age > MAX_CORS_AGE_SECONDS)
    throw invalidBodyFault(`max_age must be a number of seconds up to ${MAX_CORS_AGE_SECONDS}`);
  return { ...rule, max_age: age };
}

function texts(fields: Readonly<Record<string, unknown>>, name: string, form: RegExp): string[] {
  const given = fields[name] ?? [];
  const isText = (value: unknown) =>
    typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && form.test(value);
  if (!Array.isArray(given) || given.length > MAX_VALUES || !given.every(isText))
    throw invalidBodyFault(
      `${name} must be an array of at most ${MAX_VALUES} strings, each with at most one *`,
    );
  return given as string[];
}

/** As our own call shows a rule: in all its fields, and without what only S3 knows. */
export function listedCorsRule(rule: CorsRule): WireRecord<'CorsRules'>[number] {
  const { id: _, ...fields } = rule;
  return { ...fields, max_age: rule.max_age ?? 0 };
}

/** Headers for a page of this origin; undefined if no rule allows it. */
export function corsHeaders(
  rules: readonly CorsRule[],
  request: CorsRequest,
  alwaysExposed: readonly string[],
): Record<string, string> | undefined {
  const rule = rules.find((candidate) => fits(candidate, request));
  if (rule === undefined) return undefined;
  const isOpen = rule.allowed_origin.includes('*');
  const exposed = [...new Set([...alwaysExposed, ...rule.exposed_header])];
  return {
    'access-control-allow-origin': isOpen ? '*' : request.origin,
    'access-control-expose-headers': exposed.join(', '),
    ...(request.headers === undefined ? {} : preflightHeaders(rule, request.headers)),
  };
}

/** Whether answers differ by origin, which caches in between must know. */
export function variesByOrigin(rules: readonly CorsRule[]): boolean {
  return !rules.every((rule) => rule.allowed_origin.includes('*'));
}

function preflightHeaders(rule: CorsRule, asked: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': rule.allowed_method.join(', '),
    ...(asked.length === 0 ? {} : { 'access-control-allow-headers': asked.join(', ') }),
    'access-control-max-age': String(rule.max_age ?? 0),
  };
}

function fits(rule: CorsRule, { origin, method, headers = [] }: CorsRequest): boolean {
  return (
    rule.allowed_origin.some((pattern) => matches(pattern.toLowerCase(), origin.toLowerCase())) &&
    rule.allowed_method.includes(method) &&
    headers.every((name) =>
      rule.allowed_header.some((pattern) => matches(pattern.toLowerCase(), name.toLowerCase())),
    )
  );
}

export function matches(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === text;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
}

/** The header names of `Access-Control-Request-Headers`. */
export function parseHeaderNames(header: string | undefined): string[] {
  const names = (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > MAX_VALUES || names.some((name) => !HEADER_NAME.test(name)))
    throw new Fault('invalidArgument', { hint: 'Access-Control-Request-Headers names no headers' });
  return names;
}
