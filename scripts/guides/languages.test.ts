/** The programs of the pages about languages, saved and run as the pages say, against a server and its callbacks. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createDeployment, type Deployment, signedFetch, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const DOCS = path.join(import.meta.dirname, '../../docs');

let deployment: Deployment;
let account: Awaited<ReturnType<Deployment['createAccount']>>;
let url: string;
let environment: Record<string, string>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-languages-'));
  deployment = await createDeployment({
    store: 'disk',
    settings: { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' },
  });
  account = await deployment.createAccount(undefined, 'letters');
  ({ url } = await deployment.start());
  const made = await signedFetch(url, account, '/private', { body: 'bucket=letters&private=1' });
  expect(made.status).toBe(200);
  const printed = await deployment.run('account', 'webhook-secret', account.email, '--json');
  const [secret = ''] = (JSON.parse(printed) as { secrets: string[] }).secrets;
  environment = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    MILLPOND_URL: url,
    MILLPOND_ACCESS_KEY: account.accessKey,
    MILLPOND_SECRET_KEY: account.secretKey,
    MILLPOND_WEBHOOK_SECRET: secret,
  };
});
afterAll(async () => {
  await deployment?.destroy();
  await rm(folder, { recursive: true, force: true });
});

async function programOf(page: string, kind: string, label: string): Promise<string> {
  const markdown = await readFile(path.join(DOCS, page), 'utf8');
  const found = new RegExp(`\`\`\`${kind} ${label}\n(.*?)\`\`\``, 's').exec(markdown)?.[1];
  if (found === undefined) throw new Error(`${page} has no block "${kind} ${label}"`);
  return found;
}

async function printedBy(command: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect(code, errors).toBe(0);
  return output;
}

/** Starts the page's receiver, has it called for an upload, and by somebody who does not know the secret. */
async function receives(command: string, args: readonly string[], cwd: string, key: string): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: { ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Its last lines are read by nobody, and its output would not close.
  const ended = once(child, 'exit');
  try {
    const lines = linesOf(child);
    const port = /^receiving at port (\d+)$/.exec(await lines())?.[1];
    expect(port).toBeDefined();
    const callbackUrl = `http://127.0.0.1:${port}/uploaded`;
    const token = uploadToken(account, {
      scope: 'letters',
      callbackUrl,
      callbackBody: '{"key":$(key)}',
      callbackBodyType: 'application/json',
    });
    const stored = await uploadForm(url, 'called back', { token, key });
    expect(await stored.json()).toEqual({ received: true });
    expect(await lines()).toBe(`good {"key":"${key}"}`);
    const forged = await fetch(callbackUrl, { method: 'POST', body: 'forged' });
    expect([forged.status, await forged.json()]).toEqual([401, { received: false }]);
    expect(await lines()).toBe('refused forged');
    const hostile = [
      { 'webhook-timestamp': '\u00b2' },
      { 'webhook-timestamp': '9'.repeat(5000) },
      { 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,\u00e9' },
    ];
    for (const headers of hostile)
      expect((await fetch(callbackUrl, { method: 'POST', body: 'forged', headers })).status).toBe(401);
  } finally {
    child.kill();
    await ended;
  }
}

/** Each call waits for the next line of standard output. */
function linesOf(child: ChildProcess): () => Promise<string> {
  const iterator = (async function* () {
    let rest = '';
    for await (const chunk of child.stdout ?? []) {
      const parts = `${rest}${String(chunk)}`.split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
  })();
  return async () => String((await iterator.next()).value);
}

/** Without its secret a receiver would accept what anybody signs with none. */
async function needsSecret(command: string, args: readonly string[], cwd: string): Promise<void> {
  const env = { ...environment, MILLPOND_WEBHOOK_SECRET: undefined, PORT: '0' };
  const child = spawn(command, args, { cwd, env, stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number];
  expect(code).not.toBe(0);
}

test('python.md', async () => {
  const place = path.join(folder, 'python');
  await mkdir(place);
  for (const label of ['millpond', 'use', 'receive'])
    await writeFile(path.join(place, `${label}.py`), await programOf('python.md', 'python', label));
  expect(await printedBy('/usr/bin/python3', ['use.py'], place)).toMatch(
    /^stored from\/python\.txt F\S+\nit has 18 bytes, type text\/plain\nbatch: \[200, 200\]\nhello from Python\n$/,
  );
  await receives('/usr/bin/python3', ['receive.py'], place, 'by python');
  await needsSecret('/usr/bin/python3', ['receive.py'], place);
});

const isGoThere = spawnSync('go', ['version']).status === 0;

test.skipIf(!isGoThere)('go.md', async () => {
  const place = path.join(folder, 'go');
  for (const label of ['millpond', 'use', 'receive']) {
    await mkdir(path.join(place, label), { recursive: true });
    await writeFile(path.join(place, label, `${label}.go`), await programOf('go.md', 'go', label));
  }
  await writeFile(path.join(place, 'go.mod'), 'module example\n\ngo 1.19\n');
  await printedBy('go', ['vet', './...'], place);
  await printedBy('go', ['build', '-o', 'bin/', './use', './receive'], place);
  expect(await printedBy('bin/use', [], place)).toMatch(
    /^stored from\/go\.txt F\S+\nit has 14 bytes, type text\/plain\S*\nbatch: \[\{200\} \{200\}\]\nhello from Go\n$/,
  );
  await receives('bin/receive', [], place, 'by go');
  await needsSecret('bin/receive', [], place);
});
