// The Ceph cluster as a whole: up, down, health, and the faults that chaos runs inject into its OSDs or all of it.

import { createCeph } from './ceph-create.ts';
import {
  allDaemons,
  gatewayAnswers,
  gatewayDaemon,
  managerDaemon,
  monitorDaemon,
  osdDaemon,
  osdNumbers,
  startCephDaemon,
  stopDaemons,
  untilGatewayAnswers,
} from './ceph-daemons.ts';
import { type ClusterStatus, monitorOf } from './ceph-monitor.ts';
import { type Daemon, gone, running } from './daemon.ts';
import { EngineError } from './fault.ts';
import { requireFreePort } from './ports.ts';
import { isPaused, memoryMiB, signal } from './processes/identity.ts';
import { say } from './progress.ts';
import { type CephRecord, readCephRecord } from './record.ts';
import type { CephSettings } from './settings.ts';

export const cephPackages = ['ceph-mon', 'ceph-mgr', 'ceph-osd', 'radosgw', 'ceph-common', 'python3-rados'];

// Seconds after which the manager has surely told the monitor about a change among the OSDs.
const reportDelay = 1.5;

export type CephState = {
  state: 'absent' | 'down' | 'partly up' | 'up';
  healthy: boolean;
  s3Port?: number;
  daemons?: { name: string; pid?: number; paused?: boolean; memoryMiB?: number }[];
  cluster?: ClusterStatus;
};

export type CephAction = 'kill' | 'start' | 'pause' | 'resume';

export async function cephUp(folder: string, settings: CephSettings): Promise<void> {
  if (!running(monitorDaemon(folder)))
    await requireFreePort(settings.monPort, 'MILLPOND_ENGINES_CEPH_MON_PORT');
  if (!running(gatewayDaemon(folder))) await requireFreePort(settings.s3Port, 'MILLPOND_ENGINES_S3_PORT');
  if (!readCephRecord(folder)) {
    await createCeph(folder, settings);
    await monitorOf(folder).awaitClean(osdNumbers.length, {});
  } else await startCluster(folder);
  await untilGatewayAnswers(folder, settings.s3Port);
  say(`ceph: healthy, S3 on 127.0.0.1:${settings.s3Port}`);
}

export const cephDown = stopDaemons;

export async function cephWait(folder: string): Promise<void> {
  const { settings } = requireRecord(folder);
  for (const daemon of allDaemons(folder)) {
    const identity = running(daemon);
    // Waiting for it would only time out: whoever injected the fault has to repair it first.
    if (!identity) throw new EngineError(`${daemon.name} is not running`);
    if (isPaused(identity)) throw new EngineError(`${daemon.name} is paused`);
  }
  await monitorOf(folder).awaitClean(osdNumbers.length, { settle: reportDelay });
  await untilGatewayAnswers(folder, settings.s3Port);
}

export async function cephState(folder: string): Promise<CephState> {
  const record = readCephRecord(folder);
  if (!record) return { state: 'absent', healthy: false };
  const { s3Port } = record.settings;
  const daemons = allDaemons(folder).map((daemon) => {
    const identity = running(daemon);
    if (!identity) return { name: daemon.name };
    const { pid } = identity;
    return { name: daemon.name, pid, paused: isPaused(identity), memoryMiB: memoryMiB(identity) };
  });
  const alive = daemons.filter(({ paused }) => paused === false).length;
  if (!running(monitorDaemon(folder))) {
    return { state: alive === 0 ? 'down' : 'partly up', healthy: false, s3Port, daemons };
  }
  const cluster = await monitorOf(folder).status();
  const complete = alive === daemons.length;
  const healthy = complete && cluster.health === 'HEALTH_OK' && (await gatewayAnswers(s3Port));
  return { state: complete ? 'up' : 'partly up', healthy, s3Port, daemons, cluster };
}

export async function cephFault(folder: string, action: CephAction): Promise<void> {
  const { settings } = requireRecord(folder);
  if (action === 'start') {
    await startCluster(folder);
    await untilGatewayAnswers(folder, settings.s3Port);
    return;
  }
  await Promise.all(allDaemons(folder).map((daemon) => daemonFault(daemon, action)));
}

export async function osdFault(folder: string, action: CephAction, number: number): Promise<void> {
  requireRecord(folder);
  const daemon = osdDaemon(folder, number);
  if (action === 'start') {
    const { epoch } = await monitorOf(folder).position();
    if (!running(daemon) && startCephDaemon(daemon)) await monitorOf(folder).awaitUp([number], epoch);
    return;
  }
  await daemonFault(daemon, action);
}

async function daemonFault(daemon: Daemon, action: 'kill' | 'pause' | 'resume'): Promise<void> {
  const signals = { kill: 'SIGKILL', pause: 'SIGSTOP', resume: 'SIGCONT' } as const;
  const identity = running(daemon);
  if (!identity || !signal(identity, signals[action])) throw new EngineError(`${daemon.name} is not running`);
  if (action === 'kill' && !(await gone(identity, 10))) throw new EngineError(`${daemon.name} does not exit`);
}

async function startCluster(folder: string): Promise<void> {
  const monitor = monitorOf(folder);
  startCephDaemon(monitorDaemon(folder));
  const osds = osdNumbers.filter((number) => !running(osdDaemon(folder, number)));
  const newManager = !running(managerDaemon(folder));
  const before = osds.length > 0 || newManager ? await monitor.position() : undefined;
  startCephDaemon(managerDaemon(folder));
  const changed = osdNumbers.filter((number) => startCephDaemon(osdDaemon(folder, number)));
  startCephDaemon(gatewayDaemon(folder));
  if (before) await monitor.awaitUp(osds, before.epoch);
  if (before && newManager) await monitor.awaitClean(osdNumbers.length, { previousManager: before.manager });
  else await monitor.awaitClean(osdNumbers.length, { settle: changed.length > 0 ? reportDelay : 0 });
}

function requireRecord(folder: string): CephRecord {
  const record = readCephRecord(folder);
  if (!record) throw new EngineError('there is no Ceph cluster here: run `npm run engines -- up` first');
  return record;
}
