/** Where commands on this machine reach a server that is configured here. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { roles } from '@millpond/client/server';
import type { Config } from '@millpond/server';

export interface LocalEndpoint {
  /** For MILLPOND_ENDPOINT. */
  readonly endpoint: string;
  /** The file of a self-signed certificate, which clients must be told to trust. */
  readonly certificate?: string;
}

/** Addresses to listen on, but not to call. */
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** A server answers most of these roles' calls over TLS only. */
const OVER_TLS = ['api', 'auth', 'live'];

/** One URL for all calls, or a second one for those that need TLS. */
export function endpointText(url: string, secureUrl: string | undefined): string {
  const overTls = secureUrl === undefined ? [] : OVER_TLS.map((role) => `${role}=${secureUrl}`);
  return [url, ...overTls].join(',');
}

/**
 * Undefined if the configuration does not tell: host names, certificates for names, and proxies in front have their own
 * schemes and ports.
 */
export function endpointOf({
  hosts,
  listen,
  trustedProxies,
  tlsCert,
}: Pick<Config, 'hosts' | 'listen' | 'trustedProxies' | 'tlsCert'>): LocalEndpoint | undefined {
  if (hosts.length > 0 || trustedProxies.length > 0) return undefined;
  const whole = listen.filter(({ roles: served }) => roles.every((role) => served.has(role)));
  const plain = whole.find(({ tls }) => !tls);
  const certificate = tlsCert === undefined ? undefined : readCertificate(tlsCert);
  const secure = whole.find(
    ({ tls, address }) => tls && certificate?.checkIP(EVERYWHERE[address] ?? address) !== undefined,
  );
  const [url, secureUrl] = [plain, secure].map((listener) => listener && urlOf(listener));
  const first = url ?? secureUrl;
  if (first === undefined) return undefined;
  const isOwnAuthority = secure !== undefined && certificate?.checkIssued(certificate) === true;
  return {
    endpoint: endpointText(first, url === undefined ? undefined : secureUrl),
    ...(isOwnAuthority && tlsCert !== undefined ? { certificate: tlsCert } : {}),
  };
}

function urlOf({ tls, address, port }: Config['listen'][number]): string {
  const called = EVERYWHERE[address] ?? address;
  return `${tls ? 'https' : 'http'}://${called.includes(':') ? `[${called}]` : called}:${port}`;
}

/** Undefined if this user may not read it: the server's user may have more rights. */
function readCertificate(file: string): X509Certificate | undefined {
  try {
    return new X509Certificate(readFileSync(file));
  } catch {
    return undefined;
  }
}
