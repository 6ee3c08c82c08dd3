/** Where the server listens and which roles answer there, and the public host names of the roles. */
import { isIPv4 } from 'node:net';
import { type Reader, ValueError } from './values.ts';

/**
 * The hosts of the interface: uploads, downloads, object management, lists, buckets, processing and accounts, tokens, live; the
 * same objects by the S3 protocol; and the console.
 */
const ROLES = ['up', 'io', 'rs', 'rsf', 'uc', 'api', 'auth', 'live', 's3', 'console'] as const;
export type Role = (typeof ROLES)[number];

/** Roles that own every path of their host, so they can't share it. */
const ROLES_APART = ['s3', 'console'] as const;
export type ExclusiveRole = (typeof ROLES_APART)[number];

export interface Listener {
  readonly tls: boolean;
  readonly address: string;
  readonly port: number;
  readonly roles: ReadonlySet<Role>;
}

export interface RoleHost {
  readonly role: Role;
  /** Lower case, with the port unless it is the scheme's default. */
  readonly host: string;
}

function role(name: string): Role {
  const found = ROLES.find((known) => known === name);
  if (found === undefined)
    throw new ValueError(`has the unknown role "${name}"; the roles are ${ROLES.join(', ')}`);
  return found;
}

/** The role that every request to it has. On a listener with other roles too, such a role needs a host name of its own. */
export function exclusiveRoleOf({ roles }: Pick<Listener, 'roles'>): ExclusiveRole | undefined {
  return roles.size === 1 ? ROLES_APART.find((apart) => roles.has(apart)) : undefined;
}

/** Whether some request could reach the role. */
export function isRoleReachable(
  { listen, hosts }: { readonly listen: readonly Listener[]; readonly hosts: readonly RoleHost[] },
  apart: ExclusiveRole,
): boolean {
  const isNamed = hosts.some(({ role }) => role === apart);
  return listen.some(
    (listener) => exclusiveRoleOf(listener) === apart || (isNamed && listener.roles.has(apart)),
  );
}

export const listener: Reader<Listener> = {
  form: 'written `http://127.0.0.1:8100` or `https://0.0.0.0:443/api+auth` (the roles after the slash; none = all)',
  read(value) {
    const match = /^(https?):\/\/(\[[0-9a-fA-F:]+\]|[^:/[\]]+):(\d{1,5})(?:\/([a-z0-9+]*))?$/.exec(value);
    const port = Number(match?.[3]);
    if (!match || port > 65_535) {
      throw new ValueError('must be written http://address:port or https://address:port/role+role');
    }
    const names = (match[4] ?? '').split('+').filter((name) => name !== '');
    return {
      tls: match[1] === 'https',
      address: (match[2] ?? '').replace(/^\[|\]$/g, ''),
      port,
      roles: new Set(names.length === 0 ? ROLES : names.map(role)),
    };
  },
};

/** Whether it is reachable from this machine only. */
export function isLoopback({ address }: Pick<Listener, 'address'>): boolean {
  return address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

export const roleHost: Reader<RoleHost> = {
  form: 'written `role=host` or `role=host:port`',
  read(value) {
    const match = /^([a-z0-9]+)=([A-Za-z0-9.-]+(?::\d{1,5})?)$/.exec(value);
    if (!match) throw new ValueError('must be written role=host or role=host:port');
    return { role: role(match[1] ?? ''), host: (match[2] ?? '').toLowerCase() };
  },
};

export interface LiveEngine {
  readonly id: string;
  readonly kind: 'nginx-rtmp';
  readonly url: string;
}

export const liveEngine: Reader<LiveEngine> = {
  form: 'written `id=nginx-rtmp@http://127.0.0.1:8180`',
  read(value) {
    const match = /^([a-z0-9-]{1,32})=nginx-rtmp@(https?:\/\/.+)$/.exec(value);
    const url = URL.parse(match?.[2] ?? '');
    if (!match || url === null) throw new ValueError('must be written id=nginx-rtmp@http://host:port');
    return { id: match[1] ?? '', kind: 'nginx-rtmp', url: url.href };
  },
};

export const sipListener: Reader<{ readonly address: string; readonly port: number }> = {
  form: 'written `sip://0.0.0.0:5060`',
  read(value) {
    const match = /^sip:\/\/(\[[0-9a-fA-F:]+\]|[^:/[\]]+):(\d{1,5})$/.exec(value);
    const port = Number(match?.[2]);
    if (!match || port < 1 || port > 65_535) throw new ValueError('must be written sip://address:port');
    return { address: (match[1] ?? '').replace(/^\[|\]$/g, ''), port };
  },
};

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export const portRange: Reader<PortRange> = {
  form: 'written `30000-30199`',
  read(value) {
    const match = /^(\d{4,5})-(\d{4,5})$/.exec(value);
    const [first, last] = [Number(match?.[1]), Number(match?.[2])];
    // Two ports for each session: RTP uses the even one.
    if (!match || first < 1024 || last > 65_535 || last - first < 1)
      throw new ValueError('must be written 30000-30199: at least two ports, from 1024 to 65535');
    return { first, last };
  },
};
