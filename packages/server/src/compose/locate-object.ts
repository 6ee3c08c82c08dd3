/** Which object a URL on one of our own hosts names. */
import { decodePercent } from '@millpond/protocol';
import type { Config } from '../config/config.ts';
import { HostDirectory } from '../http/hosts.ts';
import type { LocateObject } from '../media/processing/index.ts';

/** By path under the download hosts and our own listeners, by name under the download suffix. */
export function createObjectLocator(config: Config): LocateObject {
  const hosts = new HostDirectory(config.hosts, config.downloadSuffix);
  const listeners = new Set(config.listen.map(({ address, port }) => `${address}:${port}`));
  return ({ host, pathname }) => {
    const meaning = hosts.resolve(host);
    const key = decodePercent(pathname.slice(1));
    if (key === undefined) return undefined;
    if (meaning.kind === 'bucket') return { bucket: meaning.bucket, key };
    const isOurs = meaning.kind === 'roles' ? meaning.roles.has('io') : listeners.has(host);
    const slash = key.indexOf('/');
    return isOurs && slash > 0 ? { bucket: key.slice(0, slash), key: key.slice(slash + 1) } : undefined;
  };
}
