/**
 * The pages of three servers, as written, on three machines and the operator's: each a new Debian 13 with systemd and an address of its own. Ceph is that of
 * `npm run engines -- up`, in place of the one that the page makes with containers.
 */
import { randomBytes } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnginesEnv } from '@millpond/engines';
import { type PackedPackages, packPackages } from '@millpond/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { blocksOf } from '../blocks.ts';
import { type Page, Site } from './site.ts';

const DOCS = path.join(import.meta.dirname, '../../../docs');
const VERSIONS = ['0.2.0', '0.3.0'];
const SERVERS = ['a', 'b', 'c'];
/** Longer than the check of keepalived takes to fail, and another machine to take over. */
const MOVE_TIMEOUT_MS = 20_000;
const WITHIN = { timeout: MOVE_TIMEOUT_MS, interval: 500 };

let packed: PackedPackages;
let site: Site;

beforeAll(async () => {
  packed = await packPackages();
  const engines = readEnginesEnv();
  site = await Site.start({
    enginePort: new URL(engines.MILLPOND_S3_ENDPOINT ?? '').port,
    replace: {
      'S3_BUCKET=millpond\n': `S3_BUCKET=servers-${randomBytes(4).toString('hex')}\n`,
      // None of the three has a device for it.
      'watchdog: {mode: required}': 'watchdog: {mode: off}',
    },
    setUp: (await readParts('three-servers.md', '## Does it work?'))[0],
  });
  for (const version of VERSIONS)
    await cp(path.join(packed.home, 'millpond/dist'), site.machine('ops').at(`root/millpond/${version}`), {
      recursive: true,
    });
  // What radosgw-admin prints.
  const keys = `  "access_key": "${engines.MILLPOND_S3_ACCESS_KEY}",\n  "secret_key": "${engines.MILLPOND_S3_SECRET_KEY}"\n`;
  await writeFile(site.machine('a').at('root/user.json'), keys, { mode: 0o600 });
});
afterAll(async () => {
  await site?.stop();
  await packed?.remove();
});

async function readPage(name: string): Promise<Page> {
  return { name, blocks: blocksOf(await readFile(path.join(DOCS, name), 'utf8')) };
}

/** Its blocks before a heading, and those behind it. */
async function readParts(name: string, heading: string): Promise<readonly [Page, Page]> {
  const text = await readFile(path.join(DOCS, name), 'utf8');
  const line = text.slice(0, text.indexOf(`\n${heading}\n`)).split('\n').length;
  const { blocks } = await readPage(name);
  return [
    { name, blocks: blocks.filter((block) => block.line < line) },
    { name, blocks: blocks.filter((block) => block.line > line) },
  ];
}

test('three-servers.md', async () => {
  const page = await readPage('three-servers.md');
  expect(page.blocks.length).toBeGreaterThan(25);
  await site.run(page);
});

/** Statuses of uploads and downloads at one machine's nginx, which knows all gateways. */
const traffic = (address: string, name: string) => `
  token=$(millpond token make photos)
  at="--resolve api.example.com:443:${address} -m 20 -s -o /dev/null -w %{http_code}\\n"
  for n in {1..12}; do
    curl $at -F token=$token -F key=${name}/$n.png -F file=@frame.png https://api.example.com/ || true
    curl $at https://api.example.com/photos/frame.png || true
  done`;

test('a machine whose S3 gateway is gone uses another one’s', async () => {
  await site.stopS3Gateway('b');
  const answers = await site.machine('c').run(traffic('10.0.0.12', 'gone'));
  expect(answers.trim().split('\n')).toEqual(Array.from({ length: 24 }, () => '200'));
  await site.startS3Gateway('b');
});

test('a gateway that can’t start is started until it can', async () => {
  const run = (script: string) => site.machine('b').run(script);
  await run('mv /etc/millpond/master-key /root/; systemctl restart millpond-gateway || true');
  // systemd’s default is to give up after five times in 10 s.
  await sleep(15_000);
  await run('mv /root/master-key /etc/millpond/');
  await run('timeout 60 sh -c "until curl -fsS http://10.0.0.12:8190/readyz; do sleep 1; done"');
});

async function holder(): Promise<string | undefined> {
  const held = await Promise.all(
    SERVERS.map((name) => site.machine(name).run('ip -4 -o addr show to 10.0.0.10')),
  );
  return SERVERS.find((_, index) => held[index] !== '');
}

test('the floating address leaves a machine without nginx, and does not move when all machines are out of order', async () => {
  const first = (await holder()) ?? '';
  await site.machine(first).run('systemctl stop nginx');
  await vi.waitFor(async () => expect([first, undefined]).not.toContain(await holder()), WITHIN);
  await site.machine(first).run('systemctl start nginx');
  const second = await holder();
  await Promise.all(SERVERS.map((name) => site.machine(name).run('systemctl stop millpond-gateway')));
  await sleep(MOVE_TIMEOUT_MS);
  expect(await holder()).toBe(second);
  const answer = 'curl -s -o /dev/null -w %{http_code} https://api.example.com/photos/frame.png';
  expect(await site.machine('c').run(answer)).toBe('599');
  const start = (name: string) =>
    site
      .machine(name)
      .run(
        'systemctl start millpond-gateway; until curl -fsS http://$ADDRESS:8190/readyz 2>/dev/null; do sleep 1; done',
      );
  await Promise.all(SERVERS.map(start));
});

test('PostgreSQL takes writes while etcd is away', async () => {
  const everywhere = (script: string) => Promise.all(SERVERS.map((name) => site.machine(name).run(script)));
  await everywhere('systemctl stop etcd');
  // Longer than `ttl`.
  await sleep(30_000);
  const answers = await site.machine('c').run(traffic('10.0.0.13', 'away'));
  await everywhere('systemctl --no-block start etcd');
  await site
    .machine('c')
    .run('timeout 60 sh -c "until etcdctl endpoint health 2>/dev/null; do sleep 1; done"');
  // As the page says: a Patroni may see what was before for some 20 s.
  await sleep(60_000);
  expect(new Set(answers.trim().split('\n'))).toEqual(new Set(['200']));
});

test('operate-three-servers.md', async () => {
  const [page, end] = await readParts('operate-three-servers.md', '## Only one machine is left');
  expect(page.blocks.length).toBeGreaterThan(15);
  await site.run(page);
  // Which one is the primary by now is chance; the page says what to do if the one that is left may not be it.
  await site.machine('c').run(`
    patronictl failover millpond --candidate c --force || true
    for second in {1..120}; do
      patronictl list > /tmp/list
      ! grep -qE '^\\| c .*Leader' /tmp/list || [ "$(grep -cE 'streaming|Leader' /tmp/list)" != 3 ] || break
      sleep 1
    done`);
  expect(end.blocks.length).toBeGreaterThan(2);
  await site.run(end);
});
