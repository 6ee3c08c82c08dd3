/**
 * Which roles a request may reach, by its Host: a configured host name reaches its roles only; `<bucket>.<suffix>` and
 * domains bound to a bucket reach downloads only; addresses and localhost reach whatever the listener carries.
 */
import { isIP } from 'node:net';
import type { Role, RoleHost } from '../config/listeners.ts';

export type HostMeaning =
  | { readonly kind: 'any' }
  | { readonly kind: 'roles'; readonly roles: ReadonlySet<Role> }
  | { readonly kind: 'bucket'; readonly bucket: string }
  | { readonly kind: 'domain'; readonly domain: string };

const ANY: HostMeaning = { kind: 'any' };
/** A host in another form has no bucket, and would be misread where its name is part of a path. */
const LABEL = /^[a-z0-9-]{1,63}$/;
const LONGEST_DOMAIN = 253;
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

export class HostDirectory {
  readonly #roles = new Map<string, Set<Role>>();
  readonly #suffix: string | undefined;

  constructor(hosts: readonly RoleHost[], downloadSuffix: string | undefined) {
    for (const { role, host } of hosts) {
      const roles = this.#roles.get(host) ?? new Set<Role>();
      this.#roles.set(host, roles.add(role));
    }
    this.#suffix = downloadSuffix === undefined ? undefined : `.${downloadSuffix.toLowerCase()}`;
  }

  meaning(hostHeader: string): HostMeaning {
    const host = hostHeader.toLowerCase();
    const name = withoutPort(host);
    const roles = this.#roles.get(host) ?? this.#roles.get(name);
    if (roles !== undefined) return { kind: 'roles', roles };
    if (this.#suffix !== undefined) {
      const bucket = bucketOf(host, this.#suffix) ?? bucketOf(name, this.#suffix);
      if (bucket !== undefined) return { kind: 'bucket', bucket };
    }
    // Without configured hosts every name is ours; with them, any other name may be bound to a bucket.
    if (this.#roles.size === 0 || name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0)
      return ANY;
    return { kind: 'domain', domain: name.length <= LONGEST_DOMAIN && DOMAIN.test(name) ? name : 'invalid' };
  }
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}

function bucketOf(host: string, suffix: string): string | undefined {
  const bucket = host.endsWith(suffix) ? host.slice(0, -suffix.length) : '';
  return LABEL.test(bucket) ? bucket : undefined;
}
