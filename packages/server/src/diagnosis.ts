/**
 * The checks that `millpond doctor` runs on this machine and its engines. Each check does what the server would do, changes
 * nothing, ends in time, and says how to fix what it found.
 */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { errorReason, openLog } from '@millpond/base';
import { SandboxUnavailableError } from '@millpond/jail';
import { OutboundError } from '@millpond/outbound';
import { MIB } from '@millpond/protocol';
import type { Config } from './config/config.ts';
import { lostMasterKeys } from './identity/accounts/index.ts';
import { openBlobs, openOutbound } from './infra/infra.ts';
import { openSharedSandbox } from './infra/sandbox.ts';
import { Database } from './platform/db/database.ts';
import { databaseClockAhead, readDurability, readLocale } from './platform/db/doctor.ts';
import { EarlierDatabaseError, pendingMigrations, type SchemaName } from './platform/db/migrate.ts';
import { StandbyError } from './platform/db/sqlstate.ts';
import {
  BLOB_STORE_HINTS,
  COLD_CLASS_HINT,
  databaseHint,
  SYNC_COMMIT_HINT,
  standbyHint,
  TO_UTF8,
} from './platform/hints.ts';
import { parseMasterKeys, Sealer } from './platform/secrets/sealer.ts';

export interface Diagnosis {
  /** What was checked. */
  readonly check: string;
  /**
   * `off`: an optional part is missing, and the rest works without it; `advice`: all is well, and could be safer; `skipped`:
   * there was nothing to check.
   */
  readonly state: 'good' | 'bad' | 'off' | 'advice' | 'skipped';
  readonly said: string;
  readonly remedy?: string;
}

const PING_MS = 5000;
/** A signed date may be off by 15 minutes; long before that, tokens that last a minute expire before they become valid. */
const MAX_SKEW_MS = 5000;
const EGRESS_LIMITS = {
  connectMs: 5000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 15_000,
  maxHeaderBytes: 64 * 1024,
  maxBodyBytes: MIB,
};

export async function diagnoseDatabase(config: Config, name: SchemaName): Promise<Diagnosis[]> {
  const url = name === 'control' ? config.controlDb : config.regionDb;
  const [check, setting] = [`database ${name}`, `MILLPOND_${name.toUpperCase()}_DB`];
  let ahead: number;
  try {
    ahead = await databaseClockAhead(url);
  } catch (error) {
    if (error instanceof StandbyError)
      return [{ check, state: 'bad', said: error.message, remedy: standbyHint(setting) }];
    return [
      { check, state: 'bad', said: `can't be reached: ${errorReason(error)}`, remedy: databaseHint(setting) },
    ];
  }
  const schema = await diagnoseSchema(config, url, name, check);
  return [
    schema,
    ...(await diagnoseLocale(config, url, name)),
    ...(await diagnoseDurability(config, url, name)),
    diagnoseClock(`clock of ${check}`, ahead),
  ];
}

/**
 * Names and addresses are text of all scripts, which only UTF-8 holds. The locale decides what `lower` does: this version asks it for
 * nothing, but servers of the version before compare addresses by it, during an upgrade and after a way back.
 */
async function diagnoseLocale(config: Config, url: string, name: SchemaName): Promise<Diagnosis[]> {
  const check = `text of database ${name}`;
  const database = openSmall(config, url);
  try {
    const { encoding, ctype, knowsLetters } = await readLocale(database);
    if (encoding !== 'UTF8')
      return [{ check, state: 'bad', said: `its encoding is ${encoding}`, remedy: TO_UTF8 }];
    if (name === 'region' || knowsLetters) return [];
    const said = `LC_CTYPE is ${ctype}: servers of the version before know letters of ASCII only`;
    return [{ check, state: 'bad', said, remedy: TO_UTF8 }];
  } catch {
    // What is wrong with the database was already reported.
    return [];
  } finally {
    await database.close();
  }
}

/** Whether what is answered is safe: on disk, and with bytes in an engine that survives a machine, on another machine too. */
async function diagnoseDurability(config: Config, url: string, name: SchemaName): Promise<Diagnosis[]> {
  const check = `commits of database ${name}`;
  const database = openSmall(config, url);
  try {
    const { waitsForDisk, waitsForStandby, isDiscarded } = await readDurability(database);
    if (isDiscarded)
      return [{ check, state: 'good', said: 'need not last: millpond dev deletes all when it stops' }];
    if (!waitsForDisk)
      return [
        {
          check,
          state: 'bad',
          said: 'synchronous_commit is off: a crash loses them',
          remedy: SYNC_COMMIT_HINT,
        },
      ];
    if (waitsForStandby || config.blobs !== 's3') return [];
    const said = 'wait for no standby: if its machine is lost, so are the last of them';
    return [{ check, state: 'advice', said, remedy: 'docs/high-availability.md has the way' }];
  } catch {
    // What is wrong with the database was already reported.
    return [];
  } finally {
    await database.close();
  }
}

/** `ahead`: milliseconds by which another clock is ahead of ours. */
export function diagnoseClock(check: string, ahead: number): Diagnosis {
  const seconds = `${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`;
  if (Math.abs(ahead) <= MAX_SKEW_MS) return { check, state: 'good', said: seconds };
  const remedy = 'run an NTP client (chrony or systemd-timesyncd) on both machines: timedatectl set-ntp true';
  return { check, state: 'bad', said: seconds, remedy };
}

async function diagnoseSchema(
  config: Config,
  url: string,
  name: SchemaName,
  check: string,
): Promise<Diagnosis> {
  const database = openSmall(config, url);
  try {
    const pending = await pendingMigrations(database.pool, name);
    if (pending.length === 0) return { check, state: 'good', said: 'reached, up to date' };
    const said = `behind by ${pending.length} migration(s), the first is ${pending[0]}`;
    return { check, state: 'bad', said, remedy: 'millpond migrate' };
  } catch (error) {
    if (error instanceof EarlierDatabaseError)
      return { check, state: 'bad', said: error.problem, remedy: error.remedy };
    return { check, state: 'bad', said: errorReason(error), remedy: 'the role needs rights on the schemas' };
  } finally {
    await database.close();
  }
}

/** Whether every sealed secret can be opened with what is configured. */
export async function diagnoseMasterKeys(config: Config): Promise<Diagnosis> {
  const check = 'master key';
  const database = openSmall(config, config.controlDb);
  try {
    const sealer = new Sealer(parseMasterKeys(config.masterKeys));
    const lost = await lostMasterKeys(database, sealer);
    if (lost.length === 0) return { check, state: 'good', said: 'opens every access key' };
    const remedy =
      'add the missing key to MILLPOND_MASTER_KEY from your backup; without it these access keys are lost';
    return { check, state: 'bad', said: lost.join(', '), remedy };
  } catch (error) {
    return { check, state: 'skipped', said: `the database could not be queried: ${errorReason(error)}` };
  } finally {
    await database.close();
  }
}

export async function diagnoseBlobs(config: Config): Promise<Diagnosis> {
  const check = config.blobs === 's3' ? 'engine for bytes' : 'disk for bytes';
  const blobs = openBlobs(config);
  try {
    await blobs.ping(AbortSignal.timeout(PING_MS));
    return { check, state: 'good', said: `answers (${config.s3Endpoint ?? config.diskRoot})` };
  } catch (error) {
    return {
      check,
      state: 'bad',
      said: `does not answer: ${errorReason(error)}`,
      remedy: BLOB_STORE_HINTS[config.blobs],
    };
  } finally {
    await blobs.close();
  }
}

/** Whether objects of the archive classes can be stored; on disk there is nothing to check. */
export async function diagnoseColdClass(config: Config): Promise<Diagnosis[]> {
  if (config.blobs !== 's3') return [];
  const check = `storage class ${config.s3ColdClass}`;
  const blobs = openBlobs(config);
  try {
    const said = await blobs.probeColdClass(AbortSignal.timeout(PING_MS));
    if (said === undefined) return [{ check, state: 'good', said: 'takes objects of the archive classes' }];
    return [
      {
        check,
        state: 'bad',
        said: `${said}: objects of the archive classes can't be stored`,
        remedy: COLD_CLASS_HINT,
      },
    ];
  } catch (error) {
    return [{ check, state: 'skipped', said: `the engine could not be queried: ${errorReason(error)}` }];
  } finally {
    await blobs.close();
  }
}

/** Opens the sandbox as a server does, including its self-test that it holds. */
export async function diagnoseSandbox(config: Config): Promise<Diagnosis[]> {
  const check = 'sandbox';
  const problems = await sandboxProblems(config);
  if (problems.length === 0) return [{ check, state: 'good', said: 'holds' }];
  return problems.map(({ problem, remedy }) => ({
    check,
    state: 'off',
    said: `${problem}: no processing, no images by URL, no variables of images and media`,
    remedy,
  }));
}

/** Why a server with this configuration would have no sandbox; empty if it would. */
export async function sandboxProblems(config: Config): Promise<SandboxUnavailableError['problems']> {
  const shared = openSharedSandbox(config);
  try {
    const opened = await shared.open();
    return opened instanceof SandboxUnavailableError ? opened.problems : [];
  } finally {
    await shared.close();
  }
}

export function diagnosePrograms(config: Config): Promise<Diagnosis[]> {
  const programs = [
    { name: 'ffmpeg', file: config.ffmpeg, off: 'audio and video are not processed' },
    { name: 'ffprobe', file: config.ffprobe, off: 'no avinfo, and audio and video are not processed' },
  ];
  return Promise.all(
    programs.map(({ name, file, off }) =>
      access(file, constants.X_OK).then(
        (): Diagnosis => ({ check: name, state: 'good', said: file }),
        (): Diagnosis => {
          const remedy = `apt-get install ffmpeg, or set MILLPOND_${name.toUpperCase()} to its path`;
          return { check: name, state: 'off', said: `${file} is missing: ${off}`, remedy };
        },
      ),
    ),
  );
}

/** Calls a receiver's URL the way a callback is sent; any answer shows that the network path is open. */
export async function diagnoseEgress(config: Config, url: string): Promise<Diagnosis> {
  const check = `way to ${hostOf(url)}`;
  const outbound = openOutbound(config, openLog('silent'));
  try {
    const { status } = await outbound.send({ url, method: 'HEAD', limits: EGRESS_LIMITS });
    return { check, state: 'good', said: `open: it answered ${status}` };
  } catch (error) {
    const remedy = error instanceof OutboundError ? egressRemedies[error.kind] : undefined;
    return { check, state: 'bad', said: errorReason(error), ...(remedy === undefined ? {} : { remedy }) };
  } finally {
    await outbound.close();
  }
}

const NO_WAY =
  'let this machine reach it: check the firewall and security group, or set a proxy by MILLPOND_OUTBOUND_PROXY; see docs/outbound.md';
const egressRemedies: Partial<Record<OutboundError['kind'], string>> = {
  blocked:
    'it has a private address, which is refused unless MILLPOND_OUTBOUND_ALLOW names its range; see docs/outbound.md',
  resolve: 'the name does not resolve here: check /etc/resolv.conf, or the name',
  connect: NO_WAY,
  timeout: NO_WAY,
  tls: 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to a file with the certificate of your own authority',
};

function openSmall(config: Config, url: string): Database {
  return new Database({
    url,
    connections: 2,
    timeoutMs: Math.min(PING_MS, config.dbTimeout),
    applicationName: 'doctor',
    log: openLog('silent'),
  });
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
