/**
 * CORS by S3's rules: origins match exactly, and a bucket whose owner has set no rules answers pages of other origins as if
 * there were none. Rules are the same as on our own hosts.
 */
import { type CorsRequest, type CorsRule, matches } from './cors-rules.ts';

/** Headers for a page of this origin; undefined if no rule allows it. `headers` of the request are those of a preflight. */
export function s3CorsHeaders(
  rules: readonly CorsRule[],
  { origin, method, headers }: CorsRequest,
): Record<string, string> | undefined {
  const rule = rules.find(
    (candidate) =>
      candidate.allowed_origin.some((pattern) => matches(pattern, origin)) &&
      candidate.allowed_method.includes(method) &&
      (headers ?? []).every((name) => allowsHeader(candidate, name)),
  );
  if (rule === undefined) return undefined;
  const isOpen = rule.allowed_origin.includes('*');
  return {
    'access-control-allow-origin': isOpen ? '*' : origin,
    'access-control-allow-methods': rule.allowed_method.join(', '),
    ...((headers ?? []).length > 0 && { 'access-control-allow-headers': (headers ?? []).join(', ') }),
    ...(rule.exposed_header.length > 0 && {
      'access-control-expose-headers': rule.exposed_header.join(', '),
    }),
    ...(rule.max_age !== undefined && { 'access-control-max-age': String(rule.max_age) }),
    ...(!isOpen && { 'access-control-allow-credentials': 'true' }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

function allowsHeader(rule: CorsRule, name: string): boolean {
  return rule.allowed_header.some((pattern) => matches(pattern.toLowerCase(), name.toLowerCase()));
}
