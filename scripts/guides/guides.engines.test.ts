// @module-tag registry
/** Guides that start from the published packages: each of their commands is run, in an empty folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { dialects, makeUploadToken, signDownloadUrl, signManagement } from '@millpond/protocol';
import { nodeHashing } from '@millpond/server';
import { type InstalledPackages, installPackages, waitForPorts } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { blocksOf, prints } from './blocks.ts';
import { runGuide } from './run.ts';

// Packing, installing and five starts of a database, on a machine that may have much else to do.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const DOCS = path.join(import.meta.dirname, '../../docs');
const TIMEOUT_MS = 800_000;
/**
 * Where the commands of a page are run: in an empty folder, in one with the packages, where a server runs already, by tests
 * of their own.
 */
const INSTALLING = ['first-upload.md', 'sdk.md'];
const INSTALLED = ['local.md', 'examples.md'];
const RUNNING = ['archive.md', 'uploads.md', 'downloads.md', 'metadata.md', 'signing.md', 'keys.md'];
const ELSEWHERE = [
  'ceph.md',
  'cli.md',
  'go.md',
  'operate-three-servers.md',
  'production.md',
  'python.md',
  's3.md',
  'three-servers.md',
];

/** A page ends what it started: the next one, or the same again, finds its ports free. */
const NOTHING_IS_LEFT = `for port in 3000 3001 8100 8101 8104 8200 8201 8202; do
  for second in {1..20}; do (exec 3<>/dev/tcp/127.0.0.1/$port) 2>&- || break; sleep 0.5; done
  if (exec 3<>/dev/tcp/127.0.0.1/$port) 2>&-; then echo "something still listens on $port"; exit 1; fi
done`;

const shell = (commands: readonly string[]) => `\`\`\`sh\n${commands.join('\n')}\n\`\`\``;
const page = (name: string) => readFile(path.join(DOCS, name), 'utf8');

describe('the commands of a page', () => {
  const text = ['a', '```sh', '# why', 'one \\', '  two', 'three', '```', '', '```text', 'x … y', '```', ''];

  test('are its sh blocks, with what the page says that they print', () => {
    expect(blocksOf(text.join('\n'))).toEqual([
      { line: 3, note: 'why', commands: ['one \\\n  two', 'three'], printed: ['x … y'] },
    ]);
  });

  test('print what the page says, with anything for an ellipsis', () => {
    expect(prints('a\nx 1.2 y\nb\n', ['x … y'])).toBe(true);
    expect(prints('x 1\ny', ['x … y'])).toBe(false);
    expect(prints('first\nsecond', ['first', 'second'])).toBe(true);
    expect(prints('second\nfirst', ['first', 'second'])).toBe(false);
    // Quickly, however much is between.
    expect(prints('POST /events good\n'.repeat(2000), Array(20).fill('… /events … bad …'))).toBe(false);
  });

  test('and a page whose commands fail, or print something else, is refused', async () => {
    const place = { folder: '/tmp', environment: { PATH: process.env.PATH ?? '' }, withinMs: TIMEOUT_MS };
    expect(await runGuide('p', '```sh\necho a\n```', place)).toBe(1);
    await expect(runGuide('p', '```sh\necho a\nfalse\n```', place)).rejects.toThrow('p:2 exited with 1');
    await expect(runGuide('p', '```sh\necho a\n```\n\n```text\nb\n```', place)).rejects.toThrow(
      'should print',
    );
    await expect(runGuide('p', '```sh\nexit 1\n```\n```sh\ntrue\n```', place)).rejects.toThrow('p:2 exited');
  });
});

test('the vectors of signing.md are what our own code signs', async () => {
  const keys = { accessKey: 'MY_ACCESS_KEY', secretKey: 'MY_SECRET_KEY' };
  const call = { host: 'example.com', contentType: undefined, headers: [], body: undefined };
  const form = {
    contentType: 'application/x-www-form-urlencoded',
    body: Buffer.from('op=/stat/cGhvdG9zOmEudHh0'),
  };
  const signed = [
    makeUploadToken(nodeHashing, keys, '{"scope":"photos:a.txt","deadline":1900000000}'),
    signDownloadUrl(nodeHashing, keys, 'https://example.com/photos/a.txt', 1_900_000_000),
    signManagement(
      nodeHashing,
      keys,
      {
        ...call,
        method: 'GET',
        target: '/stat/cGhvdG9zOmEudHh0',
        headers: [['x-svc-date', '20300317T174640Z']],
      },
      dialects.svc,
    ),
    signManagement(
      nodeHashing,
      keys,
      { ...call, ...form, method: 'POST', target: '/batch', host: 'example.com:8443' },
      dialects.svc,
    ),
  ].map((text) => text.split('MY_ACCESS_KEY:')[1]?.split(':')[0]);
  const [last] = blocksOf(await page('signing.md')).slice(-1);
  expect(last?.printed).toEqual(signed);
});

test('every page with commands is run by a test', async () => {
  const names = (await readdir(DOCS)).filter((name) => name.endsWith('.md'));
  const withCommands = await Promise.all(
    names.map(async (name) => (blocksOf(await page(name)).length > 0 ? [name] : [])),
  );
  expect(withCommands.flat().toSorted()).toEqual(
    [...INSTALLING, ...INSTALLED, ...RUNNING, ...ELSEWHERE].toSorted(),
  );
});

test('no page installs a package by a name that the registry does not have', async () => {
  const byName =
    /npm (?:install|i|add)\b[^`\n]*\s(?:@millpond\/)?(?:millpond|client|protocol|server)(?=[\s`]|$)/gm;
  const names = (await readdir(DOCS, { recursive: true })).filter((name) => name.endsWith('.md'));
  const read = [...names, '../README.md', '../packages/client/README.md', '../deploy/README.md'];
  const found = await Promise.all(
    read.map(async (name) => [...(await page(name)).matchAll(byName)].map(([text]) => `${name}: ${text}`)),
  );
  expect(found.flat()).toEqual([]);
});

describe('from the packages, in an empty folder', () => {
  let installed: InstalledPackages;
  beforeAll(async () => {
    // Those of the pages: another run on this machine may have them just now.
    const row = (first: number) => Array.from({ length: 16 }, (_, index) => first + index);
    await waitForPorts([3000, 3001, ...row(8100), 8200, 8201, 8202, ...row(8300)]);
    installed = await installPackages();
  });
  afterAll(() => installed?.remove());

  const place = (folder = installed.folder) => ({
    folder,
    environment: installed.environment,
    afterFailure: 'npx millpond dev stop',
    withinMs: TIMEOUT_MS,
  });

  test.each(INSTALLING)('%s, from nothing on', async (name) => {
    const folder = await installed.emptyFolder();
    const whole = `${await page(name)}\n${shell([NOTHING_IS_LEFT])}`;
    expect(await runGuide(name, whole, place(folder))).toBeGreaterThan(1);
    expect(await readdir(folder)).toContain('package.json');
  });

  test.each(INSTALLED)('%s', async (name) => {
    const whole = `${await page(name)}\n${shell([NOTHING_IS_LEFT])}`;
    expect(await runGuide(name, whole, place())).toBeGreaterThan(1);
  });

  test(`${RUNNING.join(', ')}: on one server`, async () => {
    await writeFile(path.join(installed.folder, 'README.md'), 'a file\n');
    await writeFile(
      path.join(installed.folder, 'empty.json'),
      '{"accounts": [{"email": "dev@example.com"}]}',
    );
    const around = ['npx millpond dev --background --seed empty.json', 'eval "$(npx millpond dev env)"'];
    const pages = await Promise.all(RUNNING.map(page));
    const whole = [shell(around), ...pages, shell(['npx millpond dev stop', NOTHING_IS_LEFT])].join('\n');
    expect(await runGuide(RUNNING.join('+'), whole, place())).toBeGreaterThan(0);
  });

  test('a signal to npx ends what it started, and leaves nothing', async () => {
    const { folder, environment } = installed;
    const npx = spawn('npx', ['millpond', 'dev', '--port', '0', '--json'], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    npx.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ended = once(npx, 'close').then(() => Promise.reject(new Error(`it ended by itself: ${said}`)));
    const ready = once(createInterface({ input: npx.stdout }), 'line') as Promise<[string]>;
    const [line] = await Promise.race([ready, ended]);
    ended.catch(() => undefined);
    const { env } = JSON.parse(line) as { env: { MILLPOND_CONFIG: string } };
    expect(existsSync(env.MILLPOND_CONFIG), `it ended by itself: ${said}`).toBe(true);
    npx.kill('SIGTERM');
    await vi.waitUntil(() => !existsSync(path.dirname(env.MILLPOND_CONFIG)), { timeout: 300_000 });
    expect(said).toBe('millpond: npx has exited; stopping\n');
  });

  test('the first callback takes five commands', async () => {
    const [first] = blocksOf(await page('first-upload.md'));
    expect(first?.commands).toHaveLength(5);
  });
});
