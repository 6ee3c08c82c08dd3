/** The page of metrics names what a running server has, and nothing else. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createDeployment, type Deployment, freePort } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const POOLS = ['control', 'region', 'sending'];

let deployment: Deployment;
beforeAll(async () => {
  // Everything that has metrics only where it is switched on.
  const settings = {
    MILLPOND_SIP_LISTEN: `sip://127.0.0.1:${await freePort()}`,
    MILLPOND_MEDIA_SLOTS: '1',
  };
  deployment = await createDeployment({ store: 'disk', settings });
});
afterAll(() => deployment?.destroy());

test('docs/metrics.md', async () => {
  const server = await deployment.start();
  const served = await (await fetch(`${server.adminUrl}/metrics`)).text();
  const page = await readFile(path.join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(millpond_[a-z_<>]+)`/gm)].map(([, name = '']) => name);
  const named = rows.flatMap((name) =>
    name.includes('<pool>') ? POOLS.map((pool) => name.replace('<pool>', pool)) : [name],
  );
  const own = [...served.matchAll(/^# TYPE (millpond_\S+)/gm)].map(([, name = '']) => name);
  expect(own.length).toBeGreaterThan(30);
  expect(named.toSorted()).toEqual(own.toSorted());
});
