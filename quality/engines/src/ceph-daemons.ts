// The six servers of the Ceph cluster.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, lastLines, running, start, stop } from './daemon.ts';
import { EngineError } from './fault.ts';

export const osdNumbers = [0, 1, 2];

export const monitorDaemon = (folder: string) => cephDaemon(folder, 'mon.a', 'ceph-mon', ['-i', 'a']);
export const managerDaemon = (folder: string) => cephDaemon(folder, 'mgr.a', 'ceph-mgr', ['-i', 'a']);
export const gatewayDaemon = (folder: string) =>
  cephDaemon(folder, 'client.rgw.main', 'radosgw', ['-n', 'client.rgw.main']);
export const osdDaemon = (folder: string, number: number) =>
  cephDaemon(folder, `osd.${number}`, 'ceph-osd', [
    '-i',
    String(number),
    '--keyring',
    join(folder, `osd${number}`, 'keyring'),
  ]);

export function allDaemons(folder: string): Daemon[] {
  return [
    monitorDaemon(folder),
    managerDaemon(folder),
    ...osdNumbers.map((number) => osdDaemon(folder, number)),
    gatewayDaemon(folder),
  ];
}

export function startCephDaemon(daemon: Daemon): boolean {
  // A killed daemon leaves its socket behind, and its successor would refuse to start.
  if (!running(daemon)) rmSync(join(daemon.folder, 'run', `${daemon.name}.asok`), { force: true });
  return start(daemon);
}

export async function stopDaemons(folder: string): Promise<void> {
  // The gateway has no state to save, and waits long for idle connections.
  await stop(gatewayDaemon(folder), 'SIGTERM', 3);
  await Promise.all(osdNumbers.map((number) => stop(osdDaemon(folder, number), 'SIGTERM', 15)));
  await stop(managerDaemon(folder), 'SIGTERM', 5);
  await stop(monitorDaemon(folder), 'SIGTERM', 10);
}

export async function gatewayAnswers(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) });
    await answer.body?.cancel();
    return answer.status < 500;
  } catch {
    return false;
  }
}

export async function untilGatewayAnswers(folder: string, port: number): Promise<void> {
  const daemon = gatewayDaemon(folder);
  const end = performance.now() + 120_000;
  while (!(await gatewayAnswers(port))) {
    if (!running(daemon)) throw new EngineError(`the S3 gateway exited:\n${lastLines(daemon)}`);
    if (performance.now() > end) throw new EngineError('the S3 gateway does not answer');
    await sleep(50);
  }
}

function cephDaemon(folder: string, name: string, command: string, args: string[]): Daemon {
  return {
    name,
    command,
    args: ['-f', '-c', join(folder, 'ceph.conf'), ...args],
    folder,
    pidFile: join(folder, 'run', `${name}.identity`),
    logFile: join(folder, 'log', `${name}.out`),
  };
}
