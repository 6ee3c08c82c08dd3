/** Whoever sends a byte now and then is not waited for: neither before a token was accepted nor afterwards. */
import { FORM_TYPE } from '@millpond/protocol';
import {
  type Account,
  createDeployment,
  type Deployment,
  type ServerProcess,
  uploadToken,
} from '@millpond/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { beginUpload, uploadsPath } from '../support/objects/multipart.ts';
import { openConnection, type RawConnection, type RawResponse, requestBytes } from '../support/raw.ts';
import { BOUNDARY, CLOSING, field, head, openBody } from '../support/raw-form.ts';
import { authorize } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'slow-bodies';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
/** As many connections as an address may have here. */
const MAX_SLOW_BODIES = 24;
const PROXY = '127.0.0.8';

let deployment: Deployment;
let server: ServerProcess;
/** One where whoever has shown a token may take an hour for each byte. */
let patient: ServerProcess;
let account: Account;
const ends: (() => void)[] = [];

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_PLAIN_HTTP: 'true',
      MILLPOND_BODY_TIMEOUT: '2s',
      MILLPOND_LEAST_UPLOAD_RATE: '1KiB/2s',
      MILLPOND_CONNECTIONS_PER_ADDRESS: String(MAX_SLOW_BODIES),
      MILLPOND_TRUSTED_PROXIES: PROXY,
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  [server, patient] = await Promise.all([
    deployment.start(),
    deployment.start({ settings: { MILLPOND_LEAST_UPLOAD_RATE: '1B/1h' } }),
  ]);
});
afterAll(() => deployment?.destroy());
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface Slow {
  readonly method?: string;
  readonly path: string;
  readonly type: string;
  readonly first?: Uint8Array | string;
  readonly authorization?: string;
  readonly from?: string;
}

/** A request of 60,000 bytes of which the first come at once, and then one each 100 ms. */
async function drip({ method = 'POST', path, type, first = '', authorization, from }: Slow) {
  const connection = await openConnection(server.url, from);
  connection.socket.on('error', () => undefined);
  const headers: [string, string][] = [
    ['Content-Type', type],
    ['Content-Length', '60000'],
  ];
  if (authorization !== undefined) headers.push(['Authorization', authorization]);
  connection.socket.write(requestBytes(server.url, { method, target: path, headers }));
  connection.socket.write(first);
  const timer = setInterval(() => connection.socket.write('x'), 100);
  ends.push(() => {
    clearInterval(timer);
    connection.socket.destroy();
  });
  return connection;
}

function expectGivenUp(answer: RawResponse, hint: RegExp): void {
  const error = 'the request was not completed in time';
  expect([answer.status, answer.json()]).toEqual([408, { error, hint: expect.stringMatching(hint) }]);
  expect(answer.header('x-reqid')).toMatch(/./);
  expect(answer.header('content-type')).toBe('application/json');
}

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

const token = () => uploadToken(account, { scope: BUCKET });
/** A form as far as its file. */
const begun = () =>
  Buffer.concat([openBody([field('token', token())]), head({ name: 'file', fileName: 'a' })]);

describe('until a token was accepted, a request that sends a byte now and then is given up', () => {
  test('with 408: forms without a token or with one behind the file, and calls', async () => {
    const authorization = authorize({ target: '/private' }, { url: server.url, keys: account });
    const slow: Slow[] = [
      { path: '/', type: FORM, first: openBody([field('key', 'slow')]) },
      { path: '/', type: FORM, first: head({ name: 'file', fileName: 'a' }) },
      { path: '/oauth2/token', type: FORM_TYPE },
      { path: '/private', type: FORM_TYPE, authorization },
    ];
    for (const connection of await Promise.all(slow.map(drip))) {
      expectGivenUp(await connection.answer('POST'), /^within 2 s a request must be complete/);
      await connection.closed;
    }
  });

  test('after an answer that came before all of it', async () => {
    const wrong = openBody([field('token', 'a:b:c')]);
    const slow: [number, Slow][] = [
      [404, { path: '/nothing', type: FORM_TYPE }],
      [405, { method: 'PUT', path: '/oauth2/token', type: FORM_TYPE }],
      [401, { path: '/private', type: FORM_TYPE }],
      [404, { method: 'GET', path: `/${BUCKET}/missing`, type: FORM_TYPE }],
      [401, { path: '/', type: FORM, first: Buffer.concat([wrong, head({ name: 'file', fileName: 'a' })]) }],
    ];
    const connections = await Promise.all(slow.map(([, each]) => drip(each)));
    for (const [at, connection] of connections.entries()) {
      const answer = await connection.answer('POST');
      expect([answer.status, answer.header('connection')]).toEqual([slow[at]?.[0], 'keep-alive']);
      await connection.closed;
    }
  });

  test('200 of them leave every connection to others, and hold nothing', async () => {
    const before = await figure('millpond_bodies_given_up_total');
    const first = openBody([field('key', 'x'.repeat(40_000))]);
    const froms = Array.from({ length: 10 }, (_, index) => `127.0.1.${index + 1}`);
    const slow = await Promise.all(
      froms.flatMap((from) => Array.from({ length: 20 }, () => drip({ path: '/', type: FORM, first, from }))),
    );
    const answers = await Promise.all(slow.map((connection) => connection.answer('POST')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([408]));
    await Promise.all(slow.map((connection) => connection.closed));
    expect(await figure('millpond_bodies_given_up_total')).toBe(before + 200);
    await expect.poll(() => figure('millpond_waiting_file_bytes')).toBe(0);
  });
});

describe('once its token was accepted', () => {
  test('an upload that sends a byte now and then is given up', async () => {
    const upload = await beginUpload(BUCKET, { key: 'slow', site: { url: server.url, account } });
    const slow: Slow[] = [
      { path: '/', type: FORM, first: begun() },
      {
        method: 'PUT',
        path: `${uploadsPath(BUCKET, 'slow')}/${upload.uploadId}/1`,
        type: 'application/octet-stream',
        authorization: `UpToken ${token()}`,
      },
      {
        path: '/mkblk/60000',
        type: 'application/octet-stream',
        authorization: `UpToken ${token()}`,
      },
    ];
    const connections = await Promise.all(slow.map(drip));
    for (const connection of connections) {
      expectGivenUp(await connection.answer('POST'), /^send at least 1024 bytes in 2 s$/);
      await connection.closed;
    }
  });

  test('one at the least rate may take longer than others have', async () => {
    const [slow, other] = [await openConnection(patient.url), await openConnection(patient.url)];
    const body = Buffer.concat([begun(), Buffer.from('its content\r\n'), CLOSING]);
    const request = requestBytes(patient.url, {
      method: 'POST',
      target: '/',
      headers: [['Content-Type', FORM]],
      body,
    });
    const half = request.length - CLOSING.length - 5;
    slow.socket.write(request.subarray(0, half));
    other.socket.write(request.subarray(0, request.length - body.length));
    expectGivenUp(await other.answer('POST'), /^within 2 s/);
    slow.socket.write(request.subarray(half));
    expect((await slow.answer('POST')).status).toBe(200);
    for (const { socket } of [slow, other]) socket.destroy();
  });
});

describe('connections', () => {
  const asked = async (connection: RawConnection, forwardedFor?: string) => {
    const headers = forwardedFor === undefined ? [] : [['X-Forwarded-For', forwardedFor] as const];
    connection.socket.write(requestBytes(server.url, { target: '/nothing', headers }));
    return (await connection.answer()).status;
  };
  const open = async (from: string) => {
    const connection = await openConnection(patient.url, from);
    connection.socket.on('error', () => undefined);
    ends.push(() => connection.socket.destroy());
    return connection;
  };

  test('of one address have a limit, and those of others are taken on', async () => {
    const held = await Promise.all(Array.from({ length: MAX_SLOW_BODIES }, () => open('127.0.2.1')));
    await (await open('127.0.2.1')).closed;
    expect(await asked(await open('127.0.2.2'))).toBe(404);
    expect(new Set(await Promise.all(held.map((connection) => asked(connection))))).toEqual(new Set([404]));
  });

  test('of a trusted proxy have none; whom it asks for has', async () => {
    const one = '192.0.2.1';
    const held = await Promise.all(Array.from({ length: MAX_SLOW_BODIES }, () => open(PROXY)));
    for (const { socket } of held) {
      const headers = [
        ['X-Forwarded-For', one],
        ['Content-Type', FORM],
        ['Content-Length', '60000'],
      ] as const;
      socket.write(requestBytes(patient.url, { method: 'POST', target: '/', headers }));
      socket.write(begun());
    }
    const more = await open(PROXY);
    await expect.poll(() => asked(more, one)).toBe(573);
    expect(await asked(more, '192.0.2.2')).toBe(404);
    for (const { socket } of held) socket.destroy();
    await expect.poll(() => asked(more, one)).toBe(404);
  });
});
