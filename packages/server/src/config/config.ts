/**
 * Reads the configuration once, from the environment or a file of the same form. All faults are reported together,
 * with the name of each setting and what it should be; an unknown MILLPOND_ name is a fault, because it is a typo.
 */
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import { editDistance } from '@millpond/protocol';
import { isLoopback } from './listeners.ts';
import { type Setting, settings } from './settings/index.ts';
import { removedSettings } from './settings/removed.settings.ts';
import { ValueError } from './values.ts';

type Settings = typeof settings;
export type Config = {
  readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const MAX_TYPOS = 3;

const OF_TOOLS =
  /^MILLPOND_(CONFIG|ENGINES_|TEST_|ENDPOINT$|ACCESS_KEY$|SECRET_KEY$|WEBHOOK_SECRET$|(?:RTMP_|SIP_)?URL$|URL_S3$|COMPLETION_SECONDS$)/;

/** Whether the name belongs to tools around the server that share the prefix: neither a setting nor a typo of one. */
export function isToolVariable(name: string): boolean {
  return OF_TOOLS.test(name);
}

export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const known = new Set<string>();
  for (const [key, setting] of Object.entries<Setting<unknown>>(settings)) {
    known.add(setting.env);
    if (setting.secret) known.add(`${setting.env}_FILE`);
    values[key] = readSetting(setting, environment, faults);
  }
  for (const [name, value = ''] of Object.entries(environment)) {
    if (name.startsWith('MILLPOND_') && !known.has(name) && !isToolVariable(name)) {
      const remedy = removedSettings.get(name)?.(value);
      faults.push(
        remedy === undefined ? `${name} is not a setting${suggestion(name, known)}` : `${name} ${remedy}`,
      );
    }
  }
  const config = values as Config;
  if (faults.length === 0) faults.push(...contradictions(config));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The environment merged over the settings of a file: the environment wins. */
export function environmentWithFile(environment: Environment, file: string | undefined): Environment {
  if (file === undefined) return environment;
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...environment };
  } catch (cause) {
    throw new ConfigError([`the configuration file ${file} can't be read: ${(cause as Error).message}`]);
  }
}

function readSetting(setting: Setting<unknown>, environment: Environment, faults: string[]): unknown {
  const given = givenValue(setting, environment, faults) ?? setting.fallback;
  if (given === undefined) {
    if (!setting.optional)
      faults.push(`${setting.env} is required: ${setting.reader.form}. ${setting.meaning}`);
    return undefined;
  }
  try {
    return setting.reader.read(given);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const shown = setting.secret ? 'its value' : `"${given}"`;
    faults.push(`${setting.env}: ${shown} ${error.message}`);
    return undefined;
  }
}

function givenValue(
  setting: Setting<unknown>,
  environment: Environment,
  faults: string[],
): string | undefined {
  const direct = environment[setting.env];
  if (direct !== undefined && direct !== '') return direct;
  const file = setting.secret ? environment[`${setting.env}_FILE`] : undefined;
  if (file === undefined || file === '') return undefined;
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (setting.env === settings.masterKeys.env) faults.push(...openToOthers(`${setting.env}_FILE`, file));
    return text;
  } catch (cause) {
    faults.push(`${setting.env}_FILE: ${file} can't be read: ${(cause as Error).message}`);
    return undefined;
  }
}

/** The master key and a copy of the database together give away the secrets of all access keys. */
function openToOthers(name: string, file: string): string[] {
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o007) === 0) return [];
  const octal = mode.toString(8).padStart(3, '0');
  return [
    `${name}: ${file} has mode ${octal}, so every user of this machine can access it: run chmod 640 ${file}, and give the file the server's group`,
  ];
}

function contradictions(config: Config): string[] {
  const faults: string[] = [];
  if (config.blobs === 's3') {
    for (const key of ['s3Endpoint', 's3AccessKey', 's3SecretKey'] as const) {
      if (config[key] === undefined) faults.push(`${settings[key].env} is required with MILLPOND_BLOBS=s3`);
    }
  } else {
    if (config.diskRoot === undefined) faults.push('MILLPOND_DISK_ROOT is required with MILLPOND_BLOBS=disk');
    if (config.sendBytes !== 'stream') {
      faults.push(
        'MILLPOND_SEND_BYTES must be stream with MILLPOND_BLOBS=disk: downloads can be handed over only to an S3 engine',
      );
    }
  }
  if (config.commitWindow * 2 > config.sweepAge) {
    faults.push(
      'MILLPOND_COMMIT_WINDOW must be at most half of MILLPOND_SWEEP_AGE, or the sweep could remove bytes of a running upload',
    );
  }
  if (config.asyncFetchTimeout >= config.commitWindow) {
    faults.push('MILLPOND_ASYNC_FETCH_TIMEOUT must be less than MILLPOND_COMMIT_WINDOW');
  }
  if (config.listen.some((listener) => listener.tls) && !(config.tlsCert && config.tlsKey)) {
    faults.push('MILLPOND_TLS_CERT and MILLPOND_TLS_KEY are required for an https listener');
  }
  if (config.explainSignatures && isReachable(config)) {
    faults.push(
      'MILLPOND_EXPLAIN_SIGNATURES is for a developer’s own machine: every listener must be on loopback, with no MILLPOND_TRUSTED_PROXIES',
    );
  }
  if (config.oidcIssuer !== undefined) {
    if (config.oidcClientId === undefined)
      faults.push('MILLPOND_OIDC_CLIENT_ID is required with MILLPOND_OIDC_ISSUER');
    if (config.oidcIssuer.startsWith('http:') && !config.plainHttp)
      faults.push('MILLPOND_OIDC_ISSUER must be https:// unless MILLPOND_PLAIN_HTTP is true');
    if (config.oidcRightsClaim === undefined && config.oidcRights.length > 0)
      faults.push('MILLPOND_OIDC_RIGHTS needs MILLPOND_OIDC_RIGHTS_CLAIM, the claim whose values it names');
    for (const [, right] of config.oidcRights) {
      if (!/^(?:operator|account|key:[A-Za-z0-9_-]{1,128})$/.test(right))
        faults.push(`MILLPOND_OIDC_RIGHTS: "${right}" must be operator, account, or key:<access key>`);
    }
  }
  if (config.sipLeastExpires > config.sipMostExpires)
    faults.push('MILLPOND_SIP_LEAST_EXPIRES must be at most MILLPOND_SIP_MOST_EXPIRES');
  if (config.sipMediaPorts && config.liveEngines.length === 0)
    faults.push('MILLPOND_SIP_MEDIA_PORTS needs MILLPOND_LIVE_ENGINES: media of devices are published there');
  if (config.sipListen && config.sipMediaPorts && mediaHostOf(config) === undefined)
    faults.push(
      'MILLPOND_SIP_MEDIA_HOST is required with MILLPOND_SIP_MEDIA_PORTS: neither MILLPOND_SIP_PUBLIC_HOST nor MILLPOND_SIP_LISTEN is a single address',
    );
  if (config.liveEngines.length > 0 && config.liveHookSecret === undefined)
    faults.push('MILLPOND_LIVE_HOOK_SECRET is required with MILLPOND_LIVE_ENGINES');
  if (new Set(config.liveEngines.map(({ id }) => id)).size < config.liveEngines.length)
    faults.push('MILLPOND_LIVE_ENGINES has two engines with the same id');
  if (config.listen.length === 0) faults.push('MILLPOND_LISTEN names no listener');
  const masterKeys = new Set(config.masterKeys.map((key) => key.slice(0, key.indexOf(':'))));
  if (masterKeys.size === 0) faults.push('MILLPOND_MASTER_KEY names no key');
  if (masterKeys.size < config.masterKeys.length)
    faults.push('MILLPOND_MASTER_KEY has two keys with the same id');
  return faults;
}

/** Whether others can reach the server: from another machine, or through a proxy on this one. */
function isReachable({ listen, adminListen, trustedProxies }: Config): boolean {
  return trustedProxies.length > 0 || ![...listen, adminListen].every(isLoopback);
}

/** Whether nobody else can send it anything, devices included. */
export function isOfThisMachineOnly(config: Config): boolean {
  return !isReachable(config) && (config.sipListen === undefined || isLoopback(config.sipListen));
}

const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/** The address that devices send their media to. */
export function mediaHostOf({ sipMediaHost, sipPublicHost, sipListen }: Config): string | undefined {
  const candidates = [sipMediaHost, sipPublicHost?.replace(/:\d+$/, ''), sipListen?.address];
  return candidates.find((host) => host !== undefined && isIP(host) !== 0 && !ALL_ADDRESSES.has(host));
}

/** The known name that is a few letters away, otherwise one that shares a word. */
function suggestion(name: string, known: ReadonlySet<string>): string {
  const words = new Set(name.split('_'));
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const typos = editDistance(name, candidate);
    const shared = candidate.split('_').filter((word) => words.has(word)).length;
    const score = typos <= MAX_TYPOS ? typos : shared > 1 ? MAX_TYPOS + 1 / shared : Number.POSITIVE_INFINITY;
    if (score < least) [best, least] = [candidate, score];
  }
  return best === undefined ? '' : `; did you mean ${best}?`;
}
