// @module-tag nginx
/**
 * The console behind nginx: bytes for a session never come from nginx, which would not pass on all the headers that keep what was
 * stored from running.
 */
import { randomBytes } from 'node:crypto';
import {
  type ConsoleUser,
  createDeployment,
  type Deployment,
  freePort,
  runCommand,
  signIn,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningNginx, startNginx } from './start.ts';

const BUCKET = `console-${randomBytes(4).toString('hex')}`;
const PASSWORD = 'correct horse battery staple';

let deployment: Deployment;
let nginx: RunningNginx;
let gatewayUrl: string;
let behind: ConsoleUser;
let direct: ConsoleUser;

beforeAll(async () => {
  const [common, forConsole] = [await freePort(), await freePort()];
  const consoleUrl = `http://127.0.0.1:${forConsole}`;
  deployment = await createDeployment({
    store: 's3',
    settings: {
      MILLPOND_LISTEN: `http://127.0.0.1:${common},${consoleUrl}/console`,
      MILLPOND_TRUSTED_PROXIES: '127.0.0.1',
      MILLPOND_PLAIN_HTTP: 'true',
      MILLPOND_SEND_BYTES: 'nginx',
      MILLPOND_SMALL_OBJECTS: '0B',
    },
  });
  const account = await deployment.createAccount(undefined, BUCKET);
  await runCommand(deployment.environment, ['account', 'password', account.email], `${PASSWORD}\n`);
  gatewayUrl = (await deployment.start()).url;
  nginx = await startNginx({
    gatewayUrl: consoleUrl,
    engineUrl: deployment.environment.MILLPOND_S3_ENDPOINT ?? '',
  });
  const token = uploadToken(account, { scope: BUCKET });
  for (const [key, mimeType] of [
    ['page.html', 'text/html'],
    ['a.pdf', 'application/pdf'],
  ] as const)
    expect((await uploadForm(gatewayUrl, '<b>', { token, key, mimeType })).status).toBe(200);
  const who = { email: account.email, password: PASSWORD };
  [behind, direct] = await Promise.all([signIn({ url: nginx.url }, who), signIn({ url: consoleUrl }, who)]);
});

afterAll(async () => {
  await nginx?.stop();
  await deployment?.destroy();
});

test.each(['page.html', 'a.pdf'])('%s is sent by the gateway itself, and kept from running', async (key) => {
  const names = [
    'content-security-policy',
    'x-content-type-options',
    'x-frame-options',
    'cross-origin-resource-policy',
    'content-type',
  ];
  const [sent, said] = await Promise.all(
    [behind, direct].map((user) => user.call('io', `/${BUCKET}/${key}`)),
  );
  for (const answer of [sent, said]) expect([answer?.status, answer?.text()]).toEqual([200, '<b>']);
  expect(said?.header('x-accel-redirect')).toBeUndefined();
  for (const name of names) expect([name, sent?.header(name)]).toEqual([name, said?.header(name)]);
  expect(sent?.header('content-security-policy')).toContain("default-src 'none'");
});

test('the same object is handed over to whoever has no session', async () => {
  expect((await fetch(`${gatewayUrl}/${BUCKET}/a.pdf`)).headers.get('x-accel-redirect')).not.toBeNull();
});

test('calls and pages come through, and those of other origins do not', async () => {
  expect((await behind.call('uc', '/buckets')).json()).toContain(BUCKET);
  expect((await behind.send('/buckets')).header('content-security-policy')).toContain("script-src 'self'");
  const forged = { method: 'POST', headers: { origin: 'https://evil.example' } } as const;
  expect((await behind.call('uc', '/private', forged)).status).toBe(403);
});
