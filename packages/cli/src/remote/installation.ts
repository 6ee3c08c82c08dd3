/** The client for an alias, or for the installation that the environment names. */
import { homedir } from 'node:os';
import path from 'node:path';
import { fileJournal, type RetryOptions } from '@millpond/client';
import { Client, type Hosts, type Role, roles } from '@millpond/client/server';
import { UsageFault } from '../exit.ts';
import { type Alias, readAliases } from './aliases.ts';

/** Where a server listens that was told nothing else. */
const LOCAL = 'http://127.0.0.1:8100';

export class Installations {
  readonly #clients = new Map<string, Client>();
  readonly #resume: boolean;
  readonly #retry: RetryOptions | undefined;

  constructor(options: { resume?: boolean; retry?: RetryOptions } = {}) {
    this.#resume = options.resume ?? true;
    this.#retry = options.retry;
  }

  client(alias: string): Client {
    const known = this.#clients.get(alias);
    if (known !== undefined) return known;
    const { endpoint, accessKey, secretKey, dialect } = aliasOf(alias);
    const made = new Client({
      url: parseEndpoint(endpoint),
      credentials: { accessKey, secretKey },
      dialect,
      retry: this.#retry,
      journal: this.#resume ? fileJournal(path.join(stateFolder(), 'uploads')) : undefined,
    });
    this.#clients.set(alias, made);
    return made;
  }
}

/** What outlives a command: journals. */
export function stateFolder(): string {
  return path.join(process.env.XDG_STATE_HOME ?? path.join(homedir(), '.local/state'), 'millpond');
}

/** Names an installation for a journal: the same alias may point elsewhere tomorrow. */
export function identityOf(alias: string): string {
  const { endpoint, accessKey } = aliasOf(alias);
  return `${endpoint.join(',')} ${accessKey}`;
}

/** Whether there is a key where none is named. */
export function hasDefaultKey(): boolean {
  return Boolean(process.env.MILLPOND_ACCESS_KEY) || readAliases().has('default');
}

function aliasOf(name: string): Alias {
  const named = readAliases().get(name === '' ? 'default' : name);
  const { MILLPOND_ENDPOINT, MILLPOND_ACCESS_KEY: accessKey, MILLPOND_SECRET_KEY: secretKey } = process.env;
  if (name !== '') {
    if (named === undefined)
      throw new UsageFault(
        `there is no alias ${name}: \`millpond alias set\` makes one; a bucket is written :${name}/key`,
      );
    return named;
  }
  if (accessKey && secretKey) {
    const dialect = process.env.MILLPOND_DIALECT === 'qiniu' ? 'qiniu' : 'svc';
    return { endpoint: (MILLPOND_ENDPOINT || LOCAL).split(','), accessKey, secretKey, dialect };
  }
  if (named !== undefined) return named;
  throw new UsageFault(
    'no installation is named: set MILLPOND_ACCESS_KEY and MILLPOND_SECRET_KEY (and MILLPOND_ENDPOINT), or `millpond alias set default`',
  );
}

/** One URL for everything, and `role=URL` for what stands elsewhere. */
export function parseEndpoint(parts: readonly string[]): Hosts {
  const hosts: { default?: string } & Partial<Record<Role, string>> = {};
  for (const part of parts) {
    const [, role, url = ''] = /^(?:([a-z]+)=)?(.*)$/s.exec(part) ?? [];
    const parsed = URL.parse(url);
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
      throw new UsageFault(`${part} is no URL such as https://example.com`);
    const known = roles.find((each) => each === role);
    if (role !== undefined && known === undefined)
      throw new UsageFault(`${role} is no role: they are ${roles.join(', ')}`);
    hosts[known ?? 'default'] = url;
  }
  if (hosts.default === undefined && roles.some((role) => hosts[role] === undefined))
    throw new UsageFault('give one URL for everything, or one for each role');
  return hosts;
}
