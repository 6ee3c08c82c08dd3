import { openLog } from '@millpond/base';
import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openOutbound } from './infra.ts';

const SETTINGS = {
  MILLPOND_CONTROL_DB: 'postgres://a@127.0.0.1/a',
  MILLPOND_REGION_DB: 'postgres://a@127.0.0.1/a',
  MILLPOND_MASTER_KEY: `k:${Buffer.alloc(32).toString('base64')}`,
  MILLPOND_BLOBS: 'disk',
  MILLPOND_DISK_ROOT: '/nowhere',
  MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32,::1/128',
  MILLPOND_LISTEN: 'http://127.0.0.1:18100',
  MILLPOND_ADMIN_LISTEN: 'http://0.0.0.0:18190',
  MILLPOND_SIP_LISTEN: 'sip://0.0.0.0:15060',
  MILLPOND_LIVE_ENGINES:
    'a=nginx-rtmp@http://127.0.0.1:18180,b=nginx-rtmp@http://[::1]:18181,c=nginx-rtmp@http://engine.test:18182',
  MILLPOND_LIVE_HOOK_SECRET: 'secret-of-hooks',
};

test.each([
  ['a listener', 'http://127.0.0.1:18100/'],
  ['the admin’s', 'http://127.0.0.1:18190/metrics'],
  ['the registrar’s', 'http://127.0.0.1:15060/'],
  ['an engine', 'http://127.0.0.1:18180/control'],
  ['an engine over IPv6', 'http://[::1]:18181/'],
  ['an engine by its name', 'http://engine.test:18182/'],
])('no URL of a user’s leads to %s', async (_, url) => {
  const outbound = openOutbound(readConfig(SETTINGS), openLog('silent'));
  const limits = { connectMs: 1000, totalMs: 1000, maxHeaderBytes: 1024, maxBodyBytes: 1024 };
  const sent = outbound.send({ url, method: 'GET', limits } as Parameters<typeof outbound.send>[0]);
  await expect(sent).rejects.toMatchObject({ blocked: { reason: expect.stringMatching(/^own/) } });
  await outbound.close();
});
