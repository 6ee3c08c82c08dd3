/** A client that breaks off in the middle of its request: no error of ours, and no lesson in HTTP. In the middle of an answer: counted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  COMMAND,
  createDeployment,
  type Deployment,
  freePort,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from '../support/accounts/operator.ts';
import { openConnection, requestBytes } from '../support/raw.ts';
import { BOUNDARY, field, openBody } from '../support/raw-form.ts';
import { target } from '../support/target.ts';

const FORM = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;

const BUCKET = 'broken-off';

let deployment: Deployment;
let server: Awaited<ReturnType<typeof startLogging>>;
beforeAll(async () => {
  deployment = await createDeployment({ store: target.store });
  server = await startLogging();
});
afterAll(async () => {
  await server?.stop();
  await deployment?.destroy();
});

/** A server that logs what it refuses: its address, and its log so far. */
async function startLogging() {
  const [port, adminPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [COMMAND, 'serve', '--no-work'], {
    env: {
      PATH: process.env.PATH,
      MILLPOND_CONFIG: '/dev/null',
      ...deployment.environment,
      MILLPOND_LISTEN: `http://127.0.0.1:${port}`,
      MILLPOND_ADMIN_LISTEN: `http://127.0.0.1:${adminPort}`,
      MILLPOND_LOG_LEVEL: 'info',
      MILLPOND_PLAIN_HTTP: 'true',
      MILLPOND_LOG_REQUESTS: 'true',
      MILLPOND_TRACES: 'all',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reading = createInterface(child.stdout);
  reading.on('line', (line) => lines.push(line));
  while (!lines.some((line) => line.includes('"started"'))) await once(reading, 'line');
  return {
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    lines,
    async stop() {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'close');
    },
  };
}

test('an answer that its client broke off is in the metrics, the log and the trace', async () => {
  const account = await deployment.createAccount(undefined, BUCKET);
  const token = uploadToken(account, { scope: BUCKET });
  await uploadForm(server.url, 'x'.repeat(32 * 1024 * 1024), { token, key: 'long' });
  const connection = await openConnection(server.url);
  connection.socket.write(requestBytes(server.url, { target: `/${BUCKET}/long` }));
  const [head] = (await once(connection.socket, 'data')) as [Buffer];
  connection.socket.destroy();
  const reqid = /x-reqid: (\S+)/i.exec(head.toString('latin1'))?.[1] ?? '';
  await expect
    .poll(() => server.lines.find((line) => line.includes('request broken off')) ?? '')
    .toContain(reqid);
  const line = server.lines.find((each) => each.includes('request broken off')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ level: 'info', status: 499, path: `/${BUCKET}/long` });
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^millpond_request_seconds_count\{[^}]*kind="downloads",status="499"[^}]*\} 1$/m);
  const show = () => operate(['request', 'show', reqid, '--json'], deployment.environment).catch(String);
  await expect.poll(show, { timeout: 60_000 }).toContain('"status":499');
});

test('is told that the request ended early, if it still listens, and is in no log as a refusal', async () => {
  const half = openBody([field('key', 'k')]).toString();
  for (const sent of [
    'POST / HT',
    'POST / HTTP/1.1\r\nHost: a\r\n',
    `POST / HTTP/1.1\r\nHost: a\r\n${FORM}\r\nContent-Length: 1000\r\n\r\n${half}`,
    `POST / HTTP/1.1\r\nHost: a\r\n${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n${half.length.toString(16)}\r\n${half}`,
    'POST /oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc',
  ]) {
    const connection = await openConnection(server.url);
    connection.socket.end(sent);
    const answer = await connection.answer('POST');
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'invalid argument', hint: 'the request ended early' },
    ]);
    expect(answer.header('x-reqid')).toMatch(/./);
  }
  // What is no HTTP is told so, and logged.
  const nonsense = await openConnection(server.url);
  nonsense.socket.write('nonsense\r\n\r\n');
  expect((await nonsense.answer()).json()).toMatchObject({ hint: expect.stringContaining('RFC 9112') });
  await server.stop();
  const refusals = server.lines.filter((line) => line.includes('request refused') || line.includes('failed'));
  expect(refusals).toEqual([expect.stringContaining('RFC 9112')]);
});
