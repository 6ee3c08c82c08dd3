// What each command of `npm run engines` does, for the engines that MILLPOND_ENGINES_ONLY names (all by default).

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CephAction,
  type CephState,
  cephDown,
  cephFault,
  cephPackages,
  cephState,
  cephUp,
  cephWait,
  osdFault,
} from './ceph.ts';
import { ensureCertificate } from './certificate.ts';
import { serverEnvironment, writeEnvironment } from './environment.ts';
import { EngineError, UsageError } from './fault.ts';
import { takeLock } from './lock.ts';
import { installPackages } from './packages.ts';
import { makePlaces, type Places } from './places.ts';
import {
  type PostgresState,
  postgresDown,
  postgresKill,
  postgresStart,
  postgresState,
  postgresUp,
} from './postgres.ts';
import { missingPostgres } from './postgres-programs.ts';
import { say } from './progress.ts';
import { readCephRecord, readPostgresRecord, readRtmpRecord } from './record.ts';
import { type RtmpState, rtmpDown, rtmpPackages, rtmpState, rtmpUp } from './rtmp.ts';
import { attempt } from './run.ts';
import {
  cephDefaults,
  checkPorts,
  chooseSettings,
  postgresDefaults,
  rtmpDefaults,
  rtmpVariables,
  type Settings,
} from './settings.ts';

export type Status = {
  healthy: boolean;
  folder: string;
  diskMiB: number;
  pg?: PostgresState;
  ceph?: CephState;
  rtmp?: RtmpState;
};

export async function up(places: Places, settings: Settings): Promise<void> {
  // A concurrent destroy removes the folders too.
  do makePlaces(places);
  while (!takeLock(places.lockFile));
  if (places.elsewhere !== undefined) say(`data is kept in ${places.data}: ${places.elsewhere}`);
  refuseOtherKind(places, settings);
  const pg = chooseSettings(settings.pg, readPostgresRecord(places.postgres)?.settings, postgresDefaults);
  const ceph = chooseSettings(settings.ceph, readCephRecord(places.ceph)?.settings, cephDefaults);
  const rtmp = chooseSettings(
    settings.rtmp,
    readRtmpRecord(places.rtmp)?.settings,
    rtmpDefaults,
    rtmpVariables,
  );
  checkPorts(pg, ceph, rtmp);
  if (!settings.small) await installAll(settings);
  await all([
    settings.only.has('pg') && postgresUp(places.postgres, pg, { embedded: settings.small }),
    settings.only.has('ceph') && cephUp(places.ceph, ceph),
    settings.only.has('rtmp') && rtmpUp(places.rtmp, rtmp),
  ]);
  tellServer(places);
}

export function areSmall(places: Places): boolean {
  return readPostgresRecord(places.postgres)?.embedded === true;
}

function refuseOtherKind(places: Places, { small }: Settings): void {
  if (small === areSmall(places)) return;
  const made = [places.postgres, places.ceph, places.rtmp].some((folder) => existsSync(folder));
  if (made)
    throw new UsageError(
      `these engines were made ${small ? 'without' : 'with'} --small: run \`npm run engines -- up${small ? '' : ' --small'}\`, or first \`npm run engines -- destroy\``,
    );
}

async function installAll(settings: Settings): Promise<void> {
  // Only installed: nginx as the front, ffmpeg and bubblewrap for looking into media in a sandbox, openssl for a certificate.
  await installPackages([
    ...(settings.only.has('pg') ? missingPostgres() : []),
    ...(settings.only.has('ceph') ? cephPackages : []),
    ...(settings.only.has('rtmp') ? rtmpPackages : ['nginx-light']),
    'ffmpeg',
    'bubblewrap',
    'openssl',
  ]);
}

export async function down(places: Places, settings: Settings): Promise<void> {
  if (!takeLock(places.lockFile)) return say('nothing is up');
  await stopAll(places, settings);
}

export async function destroy(places: Places, settings: Settings): Promise<void> {
  if (!takeLock(places.lockFile)) return say('nothing is up');
  await stopAll(places, settings);
  if (settings.only.has('pg')) rmSync(places.postgres, { recursive: true, force: true });
  if (settings.only.has('ceph')) rmSync(places.ceph, { recursive: true, force: true });
  if (settings.only.has('rtmp')) rmSync(places.rtmp, { recursive: true, force: true });
  if ([places.postgres, places.ceph, places.rtmp].some((folder) => existsSync(folder))) {
    tellServer(places);
    return;
  }
  if (places.data !== places.home) rmSync(places.data, { recursive: true, force: true });
  // The folder itself stays: engines of another release of Debian may have theirs mounted on it, and would lose it.
  for (const name of readdirSync(places.home))
    rmSync(join(places.home, name), { recursive: true, force: true });
}

function tellServer(places: Places): void {
  const rtmp = { folder: places.rtmp, record: readRtmpRecord(places.rtmp) };
  const tls = ensureCertificate(places.tls);
  const disk = areSmall(places) ? join(places.data, 'blobs') : undefined;
  writeEnvironment(
    places.environmentFile,
    serverEnvironment(readPostgresRecord(places.postgres), readCephRecord(places.ceph), rtmp, tls, disk),
  );
}

export async function status(places: Places, settings: Settings): Promise<Status> {
  const [pg, ceph, rtmp] = await Promise.all([
    settings.only.has('pg') ? postgresState(places.postgres) : undefined,
    settings.only.has('ceph') ? cephState(places.ceph) : undefined,
    settings.only.has('rtmp') ? rtmpState(places.rtmp) : undefined,
  ]);
  const healthy = [pg, ceph, rtmp].every((each) => each?.healthy ?? true);
  const usage = await attempt('du', ['-sm', places.data]);
  const diskMiB = Number.parseInt(usage.output, 10) || 0;
  return {
    healthy,
    folder: places.data,
    diskMiB,
    ...(pg && { pg }),
    ...(ceph && { ceph }),
    ...(rtmp && { rtmp }),
  };
}

export async function wait(places: Places, settings: Settings): Promise<void> {
  if (settings.only.has('ceph')) await cephWait(places.ceph);
  if (settings.only.has('pg') && !(await postgresState(places.postgres)).healthy) {
    throw new EngineError('PostgreSQL is not running');
  }
}

export async function ceph(places: Places, action: CephAction): Promise<void> {
  if (action === 'start') takeLock(places.lockFile);
  await cephFault(places.ceph, action);
}

export async function osd(places: Places, action: CephAction, number: number): Promise<void> {
  if (action === 'start') takeLock(places.lockFile);
  await osdFault(places.ceph, action, number);
}

export async function pg(places: Places, action: 'kill' | 'start'): Promise<void> {
  if (action === 'start') takeLock(places.lockFile);
  await (action === 'start' ? postgresStart(places.postgres) : postgresKill(places.postgres));
}

async function stopAll(places: Places, settings: Settings): Promise<void> {
  await all([
    settings.only.has('pg') && postgresDown(places.postgres).then(() => say('pg: stopped')),
    settings.only.has('ceph') && cephDown(places.ceph).then(() => say('ceph: stopped')),
    settings.only.has('rtmp') && rtmpDown(places.rtmp).then(() => say('rtmp: stopped')),
  ]);
}

// Waits for every engine even if one fails, so that none is left half started behind our back.
async function all(work: (Promise<void> | false)[]): Promise<void> {
  const outcomes = await Promise.allSettled(work.filter((each) => each !== false));
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  const [first] = failed;
  if (failed.length === 1 && first) throw first.reason;
  if (failed.length > 1) throw new EngineError(failed.map(({ reason }) => String(reason)).join('\n'));
}
