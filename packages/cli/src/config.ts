/** Finds the server's configuration: `--config`, `MILLPOND_CONFIG`, `./millpond.env`, or that of the local engines. */
import { existsSync } from 'node:fs';
import { roles } from '@millpond/client/server';
import { type Config, type Environment, environmentWithFile, readConfig } from '@millpond/server';

export interface ConfigOptions {
  readonly config?: string;
}

/** Addresses to listen at, but not to call. */
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const PLACES = ['millpond.env', '.engines/millpond.env'];

export function configFile(options: ConfigOptions): string | undefined {
  return options.config ?? process.env.MILLPOND_CONFIG ?? PLACES.find((place) => existsSync(place));
}

/** Whether this machine is told where the records are. */
export function hasDatabase(options: ConfigOptions): boolean {
  return environment(options).MILLPOND_REGION_DB !== undefined;
}

function environment(options: ConfigOptions): Environment {
  return environmentWithFile(process.env, configFile(options));
}

export function loadConfig(options: ConfigOptions): Config {
  return readConfig(environment(options));
}

/**
 * Where commands on this machine reach the server, for MILLPOND_ENDPOINT. Undefined where the configuration does not tell: the
 * names of hosts and certificates, and proxies in front, have schemes and ports of their own.
 */
export function endpointOf({ hosts, listen, trustedProxies }: Config): string | undefined {
  if (hosts.length > 0 || trustedProxies.length > 0) return undefined;
  const listener = listen.find(({ tls, roles: served }) => !tls && roles.every((role) => served.has(role)));
  if (listener === undefined) return undefined;
  const address = EVERYWHERE[listener.address] ?? listener.address;
  return `http://${address.includes(':') ? `[${address}]` : address}:${listener.port}`;
}
