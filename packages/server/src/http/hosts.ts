/**
 * Which roles a request may reach, by its Host: a configured host name reaches its roles only; `<bucket>.<suffix>` and
 * domains bound to a bucket reach downloads only; addresses and localhost reach whatever the listener carries. A host of S3
 * reaches nothing else, in both of S3's styles: `<host>/<bucket>` and `<bucket>.<host>`; so does every host on a listener
 * that has no other role. The same holds for hosts of the console.
 */
import { isIP } from 'node:net';
import type { ExclusiveRole, Role, RoleHost } from '../config/listeners.ts';

export type ResolvedHost =
  | { readonly kind: 'any' }
  | { readonly kind: 'roles'; readonly roles: ReadonlySet<Role> }
  | { readonly kind: 's3'; readonly bucket: string | undefined }
  | { readonly kind: 'console' }
  | { readonly kind: 'bucket'; readonly bucket: string }
  | { readonly kind: 'domain'; readonly domain: string };

const ANY: ResolvedHost = { kind: 'any' };
const S3: ResolvedHost = { kind: 's3', bucket: undefined };
const CONSOLE: ResolvedHost = { kind: 'console' };
/** What browsers and most resolvers take for this machine, with any name in front. */
const LOCAL = '.localhost';
/** A host in another form has no bucket, and would be misread where its name is part of a path. */
const LABEL = /^[a-z0-9-]{1,63}$/;
const MAX_DOMAIN_LENGTH = 253;
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

export class HostDirectory {
  readonly #roles = new Map<string, Set<Role>>();
  readonly #suffix: string | undefined;
  readonly #s3Suffixes: readonly string[];

  constructor(hosts: readonly RoleHost[], downloadSuffix: string | undefined) {
    for (const { role, host } of hosts) {
      const roles = this.#roles.get(host) ?? new Set<Role>();
      this.#roles.set(host, roles.add(role));
    }
    this.#s3Suffixes = hosts.filter(({ role }) => role === 's3').map(({ host }) => `.${withoutPort(host)}`);
    this.#suffix = downloadSuffix === undefined ? undefined : `.${downloadSuffix.toLowerCase()}`;
  }

  /** `only`: the role that every request to the listener has. */
  resolve(hostHeader: string, only?: ExclusiveRole): ResolvedHost {
    const host = hostHeader.toLowerCase();
    const name = withoutPort(host);
    const roles = this.#roles.get(host) ?? this.#roles.get(name);
    if (only === 'console' || (only === undefined && isOnly(roles, 'console'))) return CONSOLE;
    const s3 = this.#ofS3(name, roles, only === 's3');
    if (s3 !== undefined) return s3;
    if (roles !== undefined) return { kind: 'roles', roles };
    if (this.#suffix !== undefined) {
      const bucket = bucketOf(host, this.#suffix) ?? bucketOf(name, this.#suffix);
      if (bucket !== undefined) return { kind: 'bucket', bucket };
    }
    // Without configured hosts every name is ours; with them, any other name may be bound to a bucket.
    if (this.#roles.size === 0 || name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0)
      return ANY;
    return {
      kind: 'domain',
      domain: name.length <= MAX_DOMAIN_LENGTH && DOMAIN.test(name) ? name : 'invalid',
    };
  }

  #ofS3(name: string, roles: ReadonlySet<Role> | undefined, isOnlyS3: boolean): ResolvedHost | undefined {
    if (isOnlyS3 ? roles?.has('s3') : isOnly(roles, 's3')) return S3;
    for (const suffix of isOnlyS3 ? [...this.#s3Suffixes, LOCAL] : this.#s3Suffixes) {
      const bucket = bucketOf(name, suffix);
      if (bucket !== undefined) return { kind: 's3', bucket };
    }
    return isOnlyS3 ? S3 : undefined;
  }
}

function isOnly(roles: ReadonlySet<Role> | undefined, role: Role): boolean {
  return roles?.size === 1 && roles.has(role);
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}

function bucketOf(host: string, suffix: string): string | undefined {
  const bucket = host.endsWith(suffix) ? host.slice(0, -suffix.length) : '';
  return LABEL.test(bucket) ? bucket : undefined;
}
