import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createOutboundClient } from './index.ts';
import { createResolver } from './resolver.ts';
import { type NamedAddresses, startNameServer } from './testing/name-server.ts';
import { limits, outcomeOf } from './testing/outcome.ts';
import { reply, startReceiver } from './testing/receivers.ts';

async function opened(
  names: Readonly<Record<string, NamedAddresses>>,
  config = '',
  hosts = '',
  timeoutMs?: number,
) {
  const [server, folder] = await Promise.all([
    startNameServer(names),
    mkdtemp(join(tmpdir(), 'millpond-names-')),
  ]);
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const [hostsFile, configFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  await Promise.all([writeFile(hostsFile, hosts), writeFile(configFile, config)]);
  const resolve = createResolver({ hostsFile, configFile, servers: [server.address], timeoutMs });
  return { resolve, asked: server.asked, configFile };
}

test('names whose servers never answer keep nobody else’s waiting', async () => {
  const { resolve } = await opened({ 'good.test': { a: [['8.8.8.8']] } }, '', '', 500);
  let ended = 0;
  const silent = Array.from({ length: 64 }, (_, number) =>
    resolve(`x${number}.silent.test`).catch(() => (ended += 1)),
  );
  expect(await resolve('good.test')).toEqual(['8.8.8.8']);
  expect(ended).toBe(0);
  await Promise.all(silent);
  expect(ended).toBe(64);
});

test('a name that takes a second is found after many that were quick', async () => {
  const quick = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`q${at}.test`, { a: [['8.8.8.8']] }]),
  );
  const { resolve } = await opened({ ...quick, 'late.test': { a: [['8.8.4.4']] } });
  for (const name of Object.keys(quick)) await resolve(name);
  expect(await resolve('late.test')).toEqual(['8.8.4.4']);
});

test('addresses of both kinds are found, also behind other names; a name without any is refused', async () => {
  const { resolve } = await opened({
    'both.test': { a: [['8.8.8.8', '8.8.4.4']], aaaa: [['2001:4860::1']] },
    'six.test': { aaaa: [['2001:4860::2']] },
    'one.test': { cname: 'two.test' },
    'two.test': { cname: 'six.test' },
    'none.test': {},
  });
  expect(await resolve('both.test')).toEqual(['8.8.8.8', '8.8.4.4', '2001:4860::1']);
  expect(await resolve('one.test')).toEqual(['2001:4860::2']);
  await expect(resolve('none.test')).rejects.toThrow('ENODATA');
  await expect(resolve('unknown.test')).rejects.toThrow('ENOTFOUND');
});

test('the machine’s own names and its domains count, as they are written at that time', async () => {
  const names = { 'hooks.web.svc.test': { a: [['8.8.8.8']] }, 'a.b.c': { a: [['8.8.4.4']] } };
  const { resolve, asked, configFile } = await opened(
    names,
    'search first.test svc.test\noptions ndots:5\n',
    '# names\n10.0.0.5 Box.Lan box # and box.example\nfd00::5 box.lan\n',
  );
  expect(await resolve('box.lan')).toEqual(['10.0.0.5', 'fd00::5']);
  expect(await resolve('localhost')).toContain('127.0.0.1');
  expect(asked).toEqual([]);
  expect(await resolve('hooks.web')).toEqual(['8.8.8.8']);
  expect(await resolve('a.b.c')).toEqual(['8.8.4.4']);
  await writeFile(configFile, 'nameserver 127.0.0.1\n');
  await expect(resolve('hooks.web')).rejects.toThrow('ENOTFOUND');
  await expect(resolve('box.example')).rejects.toThrow('ENOTFOUND');
});

test('no answer of a name server leads to an address that is denied [outbound-07]', async () => {
  const good = await startReceiver(reply(200), { address: '127.0.0.77' });
  const canary = await startReceiver(reply(200), { address: '127.0.0.1', port: good.port });
  onTestFinished(async () => {
    await Promise.all([good.close(), canary.close()]);
  });
  const denied = ['127.0.0.1', '10.0.0.5', '169.254.169.254', '0.0.0.0'];
  const denied6 = ['::1', 'fd00::5', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '::'];
  const names: Record<string, NamedAddresses> = {};
  for (const [at, address] of [...denied, ...denied6].entries()) {
    const kind = address.includes(':') ? 'aaaa' : 'a';
    names[`turns${at}.test`] =
      kind === 'a' ? { a: [['127.0.0.77'], [address]] } : { a: [['127.0.0.77'], ['127.0.0.1']] };
    names[`mixed${at}.test`] =
      kind === 'a' ? { a: [['127.0.0.77', address]] } : { a: [['127.0.0.77']], aaaa: [[address]] };
    names[`chain${at}.test`] = { cname: `end${at}.test` };
    names[`end${at}.test`] = kind === 'a' ? { a: [[address]] } : { aaaa: [[address]] };
  }
  const { resolve } = await opened(names);
  const outbound = createOutboundClient({ resolve, allow: ['127.0.0.77/32'] });
  onTestFinished(() => outbound.close());
  const ask = (name: string) =>
    outcomeOf(outbound.send({ url: `http://${name}:${good.port}/`, method: 'GET', limits }));
  for (const at of [...denied, ...denied6].keys()) {
    expect((await Promise.all([ask(`turns${at}.test`), ask(`turns${at}.test`)])).toSorted()).toEqual([
      '200',
      'blocked',
    ]);
    expect(await ask(`mixed${at}.test`)).toBe('blocked');
    expect(await ask(`chain${at}.test`)).toBe('blocked');
  }
  expect(canary.accepted).toBe(0);
});
