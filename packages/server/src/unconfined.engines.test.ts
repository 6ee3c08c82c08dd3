/** Where a server may run programs without a sandbox: nowhere that somebody else reaches it. */
import { createDatabase } from '@millpond/testing';
import { expect, test } from 'vitest';
import { readConfig } from './config/config.ts';
import { type ProcessRole, startServer } from './server.ts';
import { UnconfinedPermit } from './unconfined.ts';

const nowhere = 'postgres://127.0.0.1:1/none';
const settings = {
  MILLPOND_CONTROL_DB: nowhere,
  MILLPOND_REGION_DB: nowhere,
  MILLPOND_MASTER_KEY: `k:${Buffer.alloc(32).toString('base64')}`,
  MILLPOND_BLOBS: 'disk',
  MILLPOND_DISK_ROOT: '/tmp/none',
  MILLPOND_LOG_LEVEL: 'silent',
};
const ALL: readonly ProcessRole[] = ['serve', 'work', 'deliveries', 'live'];

function start(more: Readonly<Record<string, string>>, roles: readonly ProcessRole[] = ALL) {
  const config = readConfig({ ...settings, ...more });
  return startServer(config, { roles: new Set(roles), unconfined: UnconfinedPermit.make() });
}

test.each([
  ['listens for others', { MILLPOND_LISTEN: 'http://0.0.0.0:0' }, ALL],
  ['has its metrics for others', { MILLPOND_ADMIN_LISTEN: 'http://0.0.0.0:0' }, ALL],
  ['is behind a proxy', { MILLPOND_TRUSTED_PROXIES: '127.0.0.1' }, ALL],
  ['lets cameras register', { MILLPOND_SIP_LISTEN: 'sip://0.0.0.0:5060' }, ALL],
  ['is one of several processes', {}, ['serve', 'work']],
] as const)('a server that %s does not start with a permit', async (_, more, roles) => {
  await expect(start(more, roles)).rejects.toThrow('listens on loopback only');
});

test('one that only this machine reaches comes as far as its databases', async () => {
  const database = await createDatabase('unconfined');
  try {
    const databases = { MILLPOND_CONTROL_DB: database.url, MILLPOND_REGION_DB: database.url };
    const ports = { MILLPOND_LISTEN: 'http://127.0.0.1:0', MILLPOND_ADMIN_LISTEN: 'http://127.0.0.1:0' };
    await expect(start({ ...databases, ...ports })).rejects.toThrow('run `millpond migrate`');
  } finally {
    await database.drop();
  }
});
