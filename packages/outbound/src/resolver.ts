/**
 * Resolves names to addresses: all of them. Rejects if there are none. It reads the machine's files and asks its name servers
 * itself, because the system's own call keeps one of the process's few threads until it is answered: with two names whose
 * servers never answer, anybody would keep all others' names waiting, and those of our databases.
 */
import { lookup, Resolver as NameServers } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

export type Resolver = (hostname: string) => Promise<readonly string[]>;

export interface NameSources {
  readonly hostsFile: string;
  /** `resolv.conf` */
  readonly configFile: string;
  /** `address:port`, instead of those in the file. */
  readonly servers?: readonly string[] | undefined;
  /** How long the first try may take; the second may take twice as long. Default 2000. */
  readonly timeoutMs?: number | undefined;
}

const TRIES = 2;
/** Nobody outside can have such a name's servers, and a machine may know them by other ways. */
const LOCAL_NAME = /^[^.]+$|\.(?:local|localhost)$/;
/** The name is not there: it may be in the next domain. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL']);
const MAX_DOTS = 15;

export const systemResolver = createResolver({ hostsFile: '/etc/hosts', configFile: '/etc/resolv.conf' });

export function createResolver({ hostsFile, configFile, servers, timeoutMs = 2_000 }: NameSources): Resolver {
  return async (hostname) => {
    const [hosts, config] = await Promise.all([textOf(hostsFile), textOf(configFile)]);
    const written = inHosts(hosts, hostname);
    if (written.length > 0) return written;
    if (LOCAL_NAME.test(hostname)) return await bySystem(hostname);
    const asked = openServers(servers, timeoutMs);
    let absence: unknown;
    for (const name of candidates(hostname, config))
      try {
        return await addressesOf(asked, name);
      } catch (error) {
        if (!ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        absence = error;
      }
    throw absence;
  };
}

/**
 * For one name, with the servers in the file as it is now. If several names shared them, quick answers for some would shorten the time
 * that others have.
 */
function openServers(addresses: readonly string[] | undefined, timeoutMs: number): NameServers {
  const servers = new NameServers({ timeout: timeoutMs, maxTimeout: 2 * timeoutMs, tries: TRIES });
  if (addresses !== undefined) servers.setServers(addresses);
  return servers;
}

async function bySystem(hostname: string): Promise<string[]> {
  const answers = await lookup(hostname, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
}

/** Both kinds, so that all of them are judged; one of them may be missing. */
async function addressesOf(servers: NameServers, name: string): Promise<string[]> {
  const [four, six] = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)]);
  const found = [four, six].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  if (found.length === 0 && six.status === 'rejected') throw six.reason;
  return found;
}

function inHosts(text: string, hostname: string): string[] {
  if (!text.toLowerCase().includes(hostname)) return [];
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/));
  return lines.flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.includes(hostname) ? [address] : [],
  );
}

/** The name as it is, and in the domains that are searched: first as it is if it has enough dots. */
function candidates(hostname: string, config: string): string[] {
  const domains = lastOf(config, /^(?:search|domain)[ \t]+(.+)$/gm).split(/\s+/);
  const dots = Math.min(Number(lastOf(config, /^options\b.*\bndots:(\d+)/gm) || 1), MAX_DOTS);
  const searched = domains.filter((domain) => domain !== '').map((domain) => `${hostname}.${domain}`);
  return hostname.split('.').length - 1 >= dots ? [hostname, ...searched] : [...searched, hostname];
}

function lastOf(text: string, pattern: RegExp): string {
  return [...text.matchAll(pattern)].at(-1)?.[1] ?? '';
}

/** Empty if there is none. */
async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}
