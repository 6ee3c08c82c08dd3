/** Where this machine reaches a server's health, readiness and metrics. */
import { isIPv6 } from 'node:net';
import type { Config } from '@millpond/server/config';

/** All addresses of a machine are listened at, but not asked. */
const ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function adminUrl({ adminListen }: Pick<Config, 'adminListen'>, path: string): string {
  const { address: listened, port } = adminListen;
  const address = ALL[listened] ?? listened;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}${path}`;
}
