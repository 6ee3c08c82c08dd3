/** Where commands on this machine reach a server that is configured here. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { roles } from '@millpond/client/server';
import type { Config } from '@millpond/server';

export interface LocalEndpoint {
  /** For MILLPOND_ENDPOINT. */
  readonly endpoint: string;
  /** The file of a certificate that signs itself, and so is to be trusted by its name. */
  readonly certificate?: string;
}

/** Addresses to listen at, but not to call. */
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** A server answers most of their calls over TLS only. */
const OVER_TLS = ['api', 'auth', 'live'];

/** All calls by one URL, or those that need TLS by another. */
export function endpointText(url: string, secureUrl: string | undefined): string {
  const overTls = secureUrl === undefined ? [] : OVER_TLS.map((role) => `${role}=${secureUrl}`);
  return [url, ...overTls].join(',');
}

/**
 * Undefined where the configuration does not tell: names of hosts, certificates for names, and proxies in front have schemes and
 * ports of their own.
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

/** Undefined where this user may not read it: the server's own may have more rights. */
function readCertificate(file: string): X509Certificate | undefined {
  try {
    return new X509Certificate(readFileSync(file));
  } catch {
    return undefined;
  }
}
