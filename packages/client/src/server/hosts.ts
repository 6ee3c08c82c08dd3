/** Where the roles of an installation answer: one URL for all, or one for each role that is elsewhere. */
import { MillpondError } from '../core/error.ts';

export const roles = ['up', 'io', 'rs', 'rsf', 'uc', 'api', 'auth', 'live'] as const;
export type Role = (typeof roles)[number];

export type Hosts = string | ({ readonly default?: string } & Partial<Readonly<Record<Role, string>>>);

export function hostOf(hosts: Hosts, role: Role): string {
  const url = typeof hosts === 'string' ? hosts : (hosts[role] ?? hosts.default);
  const parsed = URL.parse(url ?? '');
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new MillpondError('usage', `the address of ${role} is not a URL such as https://example.com`);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname.replace(/\/+$/, '')}`;
}
