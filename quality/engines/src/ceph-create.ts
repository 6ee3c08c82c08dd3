// Makes the Ceph cluster: keys, monitor, OSDs, pools, S3 user, storage class COLD. Independent steps run concurrently;
// from nothing to healthy takes seconds.

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  gatewayDaemon,
  managerDaemon,
  monitorDaemon,
  osdDaemon,
  osdNumbers,
  startCephDaemon,
  stopDaemons,
} from './ceph-daemons.ts';
import { monitorOf, type OsdKey } from './ceph-monitor.ts';
import { EngineError } from './fault.ts';
import { say } from './progress.ts';
import { type CephRecord, writeRecord } from './record.ts';
import { run } from './run.ts';
import { type CephSettings, cephPortSpan } from './settings.ts';
import { fillTemplate } from './template.ts';

export async function createCeph(folder: string, settings: CephSettings): Promise<void> {
  await stopDaemons(folder);
  rmSync(folder, { recursive: true, force: true });
  for (const name of ['', 'mon', 'mgr', 'rgw', 'run', 'log', 'crash']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  const fsid = randomUUID();
  const osds = await Promise.all(
    osdNumbers.map(async (id): Promise<OsdKey> => ({ id, uuid: randomUUID(), key: await newKey() })),
  );
  writePrivate(join(folder, 'ceph.conf'), configuration(folder, fsid, settings));
  writePrivate(join(folder, 'keyring'), await keyring());

  // Formatting needs no monitor.
  const formatted = Promise.all(osds.map((osd) => formatOsd(folder, osd)));
  const ready = startMonitor(folder, fsid, settings).then(async () => {
    startCephDaemon(managerDaemon(folder));
    await monitorOf(folder).addOsds(osds);
    say('ceph: monitor runs');
    await monitorOf(folder).makePools();
    say('ceph: pools created');
  });
  await Promise.all([formatted, ready]);
  for (const number of osdNumbers) startCephDaemon(osdDaemon(folder, number));
  await monitorOf(folder).awaitUp(osdNumbers, 0);
  say('ceph: 3 OSDs run');

  // The first call also makes the default zone, to which the storage class is added.
  const user = await makeUser(folder);
  const target = ['--placement-id', 'default-placement', '--storage-class', 'COLD'];
  await admin(folder, ['zonegroup', 'placement', 'add', '--rgw-zonegroup', 'default', ...target]);
  const pool = ['--data-pool', 'default.rgw.cold.data'];
  await admin(folder, ['zone', 'placement', 'add', '--rgw-zone', 'default', ...target, ...pool]);
  say('ceph: S3 user and storage class COLD created');
  startCephDaemon(gatewayDaemon(folder));
  writeRecord(folder, { settings, ...user });
}

async function startMonitor(folder: string, fsid: string, settings: CephSettings): Promise<void> {
  const map = join(folder, 'run', 'monmap');
  const address = `[v2:127.0.0.1:${settings.monPort}]`;
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', address, map]);
  const files = ['--monmap', map, '--keyring', join(folder, 'keyring')];
  await run('ceph-mon', ['--mkfs', '-i', 'a', '-c', join(folder, 'ceph.conf'), ...files]);
  startCephDaemon(monitorDaemon(folder));
}

async function formatOsd(folder: string, { id, uuid, key }: OsdKey): Promise<void> {
  const keyFile = join(folder, `osd${id}`, 'keyring');
  mkdirSync(join(folder, `osd${id}`), { mode: 0o700 });
  writePrivate(keyFile, `[osd.${id}]\nkey = ${key}\n`);
  const identity = ['-i', String(id), '--osd-uuid', uuid, '--keyring', keyFile];
  await run('ceph-osd', ['--mkfs', '-c', join(folder, 'ceph.conf'), '--no-mon-config', ...identity]);
}

// The gateway generates the keys, so that they appear on no command line.
async function makeUser(folder: string): Promise<Omit<CephRecord, 'settings'>> {
  const answer = await admin(folder, ['user', 'create', '--uid=millpond', '--display-name=millpond']);
  const { keys } = JSON.parse(answer) as { keys: { access_key: string; secret_key: string }[] };
  const [pair] = keys;
  if (!pair) throw new EngineError('the S3 user was created without keys');
  return { accessKey: pair.access_key, secretKey: pair.secret_key };
}

function admin(folder: string, args: string[]): Promise<string> {
  return run('radosgw-admin', ['-c', join(folder, 'ceph.conf'), '--log-to-stderr=false', ...args]);
}

// Debian keeps it in the folder of the machine's architecture.
function classFolder(): string {
  const places = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'rados-classes'));
  return places.find((place) => existsSync(place)) ?? '/usr/lib/rados-classes';
}

function configuration(folder: string, fsid: string, settings: CephSettings): string {
  const subsystems = [
    'ms',
    'mon',
    'monc',
    'auth',
    'paxos',
    'osd',
    'bluestore',
    'bluefs',
    'bdev',
    'rocksdb',
    'rgw',
    'mgr',
    'mgrc',
    'objecter',
    'rados',
    'filestore',
    'objclass',
    'optracker',
    'heartbeatmap',
    'civetweb',
    'memdb',
    'leveldb',
    'rgw_sync',
    'none',
    'lockdep',
    'context',
    'crush',
    'tp',
    'finisher',
    'timer',
    'perfcounter',
    'asok',
    'throttle',
    'compressor',
    'client',
  ];
  return fillTemplate(join(import.meta.dirname, '..', 'ceph', 'ceph.conf'), {
    folder,
    fsid,
    classes: classFolder(),
    monPort: settings.monPort,
    s3Port: settings.s3Port,
    firstPort: settings.monPort + 10,
    lastPort: settings.monPort + cephPortSpan,
    osdBytes: settings.osdGiB * 1024 ** 3,
    quiet: subsystems.map((name) => `debug_${name} = 0/0`).join('\n'),
  });
}

async function keyring(): Promise<string> {
  const all = ['mon', 'osd', 'mgr', 'mds'];
  const entry = async (name: string, caps: Record<string, string>) =>
    [
      `[${name}]`,
      `key = ${await newKey()}`,
      ...Object.entries(caps).map(([to, may]) => `caps ${to} = "${may}"`),
    ].join('\n');
  const entries = await Promise.all([
    entry('mon.', { mon: 'allow *' }),
    entry('client.admin', Object.fromEntries(all.map((each) => [each, 'allow *']))),
    entry('mgr.a', { mon: 'allow profile mgr', osd: 'allow *', mds: 'allow *' }),
    entry('client.rgw.main', { mon: 'allow rw', osd: 'allow rwx', mgr: 'allow rw' }),
  ]);
  return [...entries, ''].join('\n');
}

// By Ceph itself: from 20 on it refuses keys of the kind that older ones need.
async function newKey(): Promise<string> {
  return (await run('ceph-authtool', ['--gen-print-key'])).trim();
}

function writePrivate(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}
