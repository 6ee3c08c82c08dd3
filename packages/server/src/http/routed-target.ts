/**
 * The path that the router sees, under which the host's own routes are found. It contains neither the query nor percent signs,
 * so the router decodes nothing: handlers read the raw target themselves.
 */
import { BY_BUCKET_HOST, BY_CONSOLE, BY_DOMAIN, BY_S3 } from '../platform/web/index.ts';
import type { HostMeaning } from './hosts.ts';

/** No route starts with this. */
export const NOWHERE = '/~';

export function routedTarget(target: string, meaning: HostMeaning): string {
  const end = target.indexOf('?');
  const path = (end < 0 ? target : target.slice(0, end)).replaceAll('%', '_');
  if (!path.startsWith('/')) return NOWHERE;
  // S3 reads bucket and key from the raw target.
  if (meaning.kind === 's3') return `${BY_S3}${meaning.bucket ?? ''}`;
  if (meaning.kind === 'console') return `${BY_CONSOLE}${path}`;
  if (meaning.kind === 'bucket') return `${BY_BUCKET_HOST}${meaning.bucket}${path}`;
  if (meaning.kind === 'domain') return `${BY_DOMAIN}${meaning.domain}${path}`;
  // The prefixes above are for hosts: in a path they would let a client choose which host it came to.
  return path.startsWith(NOWHERE) ? NOWHERE : path;
}
