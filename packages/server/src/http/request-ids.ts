/**
 * Request ids: unique across processes and restarts, short, generated without a system call per request. They begin with a
 * letter or digit, so that commands that are given one do not take it for an option.
 */
import { randomBytes } from 'node:crypto';

export function requestIds(random: () => Buffer = () => randomBytes(9)): () => string {
  let prefix = '-';
  while (!/^[A-Za-z0-9]/.test(prefix)) prefix = random().toString('base64url');
  let count = 0;
  return () => `${prefix}${(count++).toString(36).padStart(4, '0')}`;
}
