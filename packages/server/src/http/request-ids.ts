/** Request ids: unique across processes and restarts, short, generated without a system call per request. */
import { randomBytes } from 'node:crypto';

export function requestIds(): () => string {
  const prefix = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${prefix}${(count++).toString(36).padStart(4, '0')}`;
}
