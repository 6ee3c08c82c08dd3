/** The client for an alias, or for the installation that the environment names. */
import { homedir } from 'node:os';
import path from 'node:path';
import { fileJournal, type RetryOptions } from '@millpond/client';
import { Client, type Hosts, type Role, roles } from '@millpond/client/server';
import type { AccessKeyPair } from '@millpond/protocol';
import { UsageError } from '../exit.ts';
import { type Alias, readAliases } from './aliases.ts';
import { useInstallation } from './contacted.ts';

/** Where a server listens by default. */
const LOCAL = 'http://127.0.0.1:8100';

/** An installation as an alias reaches it. */
interface Reached {
  readonly client: Client;
  /** The address of its management API. */
  readonly address: string;
  readonly accessKey: string;
}

export class Installations {
  readonly #reached = new Map<string, Reached>();
  readonly #resume: boolean;
  readonly #retry: RetryOptions | undefined;

  constructor(options: { resume?: boolean; retry?: RetryOptions } = {}) {
    this.#resume = options.resume ?? true;
    this.#retry = options.retry;
  }

  client(alias: string): Client {
    return this.#reach(alias).client;
  }

  addressOf(alias: string): string {
    return this.#reach(alias).address;
  }

  /** Whether two aliases use the same server. With the same address they do; with different ones they still may. */
  isOneAddress(alias: string, other: string): boolean {
    return this.addressOf(alias) === this.addressOf(other);
  }

  isOneKey(alias: string, other: string): boolean {
    return this.#reach(alias).accessKey === this.#reach(other).accessKey;
  }

  #reach(alias: string): Reached {
    const known = this.#reached.get(alias);
    if (known !== undefined) return known;
    const installation = installationOf(alias);
    const { endpoint, accessKey, secretKey, dialect } = installation;
    useInstallation(installation);
    const url = parseEndpoint(endpoint);
    const client = new Client({
      url,
      credentials: { accessKey, secretKey },
      dialect,
      retry: this.#retry,
      journal: this.#resume ? fileJournal(path.join(stateFolder(), 'uploads')) : undefined,
    });
    const made = { client, address: managementAddress(url), accessKey };
    this.#reached.set(alias, made);
    return made;
  }
}

function managementAddress(hosts: Hosts): string {
  const url = typeof hosts === 'string' ? hosts : (hosts.rs ?? hosts.default ?? '');
  return new URL(url).href.replace(/\/+$/, '');
}

/** For commands that name no place, which would name the alias. */
export const AT_OPTION = [
  '--at <alias>',
  'use the access key of this alias; default: that of the environment, or of the alias default',
] as const;

/** `:` is the installation that the environment names, as in places. */
export function clientAt(at = ''): Client {
  return new Installations().client(aliasAt(at));
}

/** The access key of an alias, or that of the environment if no alias is named. */
export function keysAt(at = ''): AccessKeyPair {
  const { accessKey, secretKey } = installationOf(aliasAt(at));
  return { accessKey, secretKey };
}

function aliasAt(at: string): string {
  return at.replace(/:$/, '');
}

/** For what outlives a command: journals. */
export function stateFolder(): string {
  return path.join(process.env.XDG_STATE_HOME ?? path.join(homedir(), '.local/state'), 'millpond');
}

/** Identifies an installation in a journal: the same alias may point elsewhere tomorrow. */
export function identityOf(alias: string): string {
  const { endpoint, accessKey } = installationOf(alias);
  return `${endpoint.join(',')} ${accessKey}`;
}

/** Whether there is a key when none is named. */
export function hasDefaultKey(): boolean {
  return Boolean(process.env.MILLPOND_ACCESS_KEY) || readAliases().has('default');
}

interface Installation extends Alias {
  /** Undefined: the installation that the environment names. */
  readonly alias: string | undefined;
  readonly isDefaultEndpoint: boolean;
}

function installationOf(name: string): Installation {
  const alias = name === '' ? 'default' : name;
  const named = readAliases().get(alias);
  const { MILLPOND_ENDPOINT, MILLPOND_ACCESS_KEY: accessKey, MILLPOND_SECRET_KEY: secretKey } = process.env;
  if (name === '' && accessKey && secretKey)
    return {
      alias: undefined,
      endpoint: (MILLPOND_ENDPOINT || LOCAL).split(','),
      isDefaultEndpoint: !MILLPOND_ENDPOINT,
      accessKey,
      secretKey,
      dialect: dialectOfEnvironment(),
    };
  if (named !== undefined) return { ...named, alias, isDefaultEndpoint: false };
  if (name !== '')
    throw new UsageError(
      `there is no alias ${name}: \`millpond alias set\` creates one; a bucket is written :${name}/key`,
    );
  throw new UsageError(
    'no installation is named: set MILLPOND_ACCESS_KEY and MILLPOND_SECRET_KEY (and MILLPOND_ENDPOINT), or `millpond alias set default`; ' +
      '`millpond dev env` prints those of `millpond dev`',
  );
}

function dialectOfEnvironment(): Alias['dialect'] {
  const name = process.env.MILLPOND_DIALECT || 'svc';
  if (name !== 'svc' && name !== 'qiniu')
    throw new UsageError(`MILLPOND_DIALECT is ${name}: it must be svc or qiniu`);
  return name;
}

/** One URL for everything, and `role=URL` for roles that are elsewhere. */
export function parseEndpoint(parts: readonly string[]): Hosts {
  const hosts: { default?: string } & Partial<Record<Role, string>> = {};
  for (const part of parts) {
    const [, role, url = ''] = /^(?:([a-z]+)=)?(.*)$/s.exec(part) ?? [];
    const parsed = URL.parse(url);
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
      throw new UsageError(`${part} is not a URL such as https://example.com`);
    const known = roles.find((each) => each === role);
    if (role !== undefined && known === undefined)
      throw new UsageError(`${role} is not a role; roles are ${roles.join(', ')}`);
    hosts[known ?? 'default'] = url;
  }
  if (hosts.default === undefined && roles.some((role) => hosts[role] === undefined))
    throw new UsageError('give one URL for everything, or one for each role');
  return hosts;
}
