/** The pages about languages: their programs saved and their commands run as they say, against a server and its callbacks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  COMMAND,
  createDeployment,
  type Deployment,
  freePort,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGuide } from './run.ts';

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
  account = await deployment.createAccount();
  ({ url } = await deployment.start());
  const printed = await deployment.run('account', 'webhook-secret', account.email, '--json');
  const [secret = ''] = (JSON.parse(printed) as { secrets: string[] }).secrets;
  // The command of this checkout; the pages' commands stay as printed.
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${COMMAND}' "$@"\n`;
  await mkdir(path.join(folder, 'bin'));
  await writeFile(path.join(folder, 'bin/npx'), npx, { mode: 0o755 });
  environment = {
    PATH: `${folder}/bin:${process.env.PATH ?? ''}`,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    MILLPOND_URL: url,
    MILLPOND_ENDPOINT: url,
    MILLPOND_ACCESS_KEY: account.accessKey,
    MILLPOND_SECRET_KEY: account.secretKey,
    MILLPOND_WEBHOOK_SECRET: secret,
  };
});
afterAll(async () => {
  await deployment?.destroy();
  await rm(folder, { recursive: true, force: true });
});

/** Saves the programs of a page under the names that it gives them, and runs its commands beside them. */
async function follow(page: string, kind: string): Promise<string> {
  const place = path.join(folder, `page-about-${kind}`);
  const markdown = await readFile(path.join(DOCS, page), 'utf8');
  const programs = [...markdown.matchAll(new RegExp(`^\`\`\`${kind} (\\S+)\\n(.*?)^\`\`\``, 'gms'))];
  expect(programs).toHaveLength(3);
  for (const [, name = '', program = ''] of programs) {
    await mkdir(path.join(place, path.dirname(name)), { recursive: true });
    await writeFile(path.join(place, name), program);
  }
  // Another run on this machine may have the page's port.
  const replace = { '3100': String(await freePort()) };
  expect(
    await runGuide(page, markdown, { folder: place, environment, replace, withinMs: 600_000 }),
  ).toBeGreaterThan(5);
  return place;
}

/** Starts the page's receiver, has it called for an upload, and by somebody who does not know the secret. */
async function receives(
  command: string,
  args: readonly string[],
  cwd: string,
  bucket: string,
): Promise<void> {
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
      scope: bucket,
      callbackUrl,
      callbackBody: '{"key":$(key)}',
      callbackBodyType: 'application/json',
    });
    const stored = await uploadForm(url, 'called back', { token, key: 'again.txt' });
    expect(await stored.json()).toEqual({ received: true });
    expect(await lines()).toBe('good {"key":"again.txt"}');
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
  const place = await follow('python.md', 'python');
  await receives('/usr/bin/python3', ['receive.py'], place, 'py-letters');
  await needsSecret('/usr/bin/python3', ['receive.py'], place);
}, 600_000);

test('go.md', async () => {
  const place = await follow('go.md', 'go');
  await receives('./receiver', [], place, 'go-letters');
  await needsSecret('./receiver', [], place);
}, 600_000);
