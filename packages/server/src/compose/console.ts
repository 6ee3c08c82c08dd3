/** The console, loaded only by a process that some request could reach it in. */
import type { Config } from '../config/config.ts';
import { isRoleReachable } from '../config/listeners.ts';
import type { Infra } from '../infra/infra.ts';
import type { Route } from '../platform/web/index.ts';
import type { Features } from './features.ts';
import { VERSION } from './version.ts';

export async function consoleRoutes(
  { accounts, buckets, routes }: Features,
  { control, log, sealer, oidcOutbound }: Infra,
  config: Config,
): Promise<readonly Route[]> {
  if (!isRoleReachable(config, 'console')) return [];
  const { createConsole } = await import('../faces/console/index.ts');
  return createConsole(
    { ...accounts, hosts: buckets.regionHosts, routes, control, log, sealer, oidcOutbound },
    { ...config, version: VERSION },
  );
}
