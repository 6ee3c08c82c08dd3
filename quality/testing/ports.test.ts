import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freePort, freePorts, isKept, RESERVED_PORTS, waitForPorts } from './ports.ts';

const MODULE = path.join(import.meta.dirname, 'ports.ts');
const inAnother = (code: string): string =>
  execFileSync(
    process.execPath,
    ['--input-type=module', '-e', `import * as ports from '${MODULE}'; ${code}`],
    {
      encoding: 'utf8',
    },
  );

test('ports asked for at once, here and in other processes, are all different', async () => {
  const here = await Promise.all(Array.from({ length: 50 }, freePort));
  const there = JSON.parse(
    inAnother('console.log(JSON.stringify(await Promise.all(Array.from({ length: 50 }, ports.freePort))))'),
  ) as number[];
  expect(new Set([...here, ...there]).size).toBe(100);
  for (const port of here) expect(port).toBeLessThan(32_768);
});

test('a row of ports is free from its first to its last', async () => {
  const first = await freePorts(20);
  const servers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const server = createServer().listen(first + index, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  for (const server of servers) server.close();
});

test('what a killed process kept is free again', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import * as ports from '${MODULE}'; console.log(await ports.freePort()); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(String(line));
  expect(isKept(port)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isKept(port)).toBe(false);
});

test('what a killed process kept is free even if another process has its number now', async () => {
  const port = await freePort();
  const file = path.join(RESERVED_PORTS, String(port), 'pid');
  const mine = readFileSync(file, 'utf8');
  writeFileSync(file, mine.replace(/ \d+$/, ' 1'));
  expect(isKept(port)).toBe(false);
  writeFileSync(file, mine);
  expect(isKept(port)).toBe(true);
});

test('named ports are waited for until nobody has them', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let isTaken = false;
  const taken = waitForPorts([port]).then(() => {
    isTaken = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isTaken).toBe(false);
  server.close();
  await taken;
  expect(isKept(port)).toBe(true);
});

test('a folder that a process left without its file is free once it is old', async () => {
  const port = await freePort();
  const folder = path.join(RESERVED_PORTS, String(port));
  rmSync(path.join(folder, 'pid'));
  expect(isKept(port)).toBe(true);
  const past = new Date(Date.now() - 120_000);
  utimesSync(folder, past, past);
  expect(isKept(port)).toBe(false);
  await waitForPorts([port], 0);
  expect(readFileSync(path.join(folder, 'pid'), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
});

test('every user of the machine can reserve ports, and none removes those of another', async () => {
  await freePort();
  expect(statSync(RESERVED_PORTS).mode & 0o7777).toBe(0o1777);
});
