import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, createDeployment, type Deployment, uploadForm, uploadToken } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../support/objects/blocks.ts';
import { beginUpload } from '../support/objects/multipart.ts';
import { randomContent, store } from '../support/objects/objects.ts';
import { openConnection, type RawResponse, rawFetch, requestBytes } from '../support/raw.ts';
import { authorize, sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const MIB = 1024 * 1024;
const BUCKET = 'limits';

let deployment: Deployment;
let account: Account;
let url: string;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_REQUEST_TIMEOUT: '2s',
      MILLPOND_IDLE_TIMEOUT: '4s',
      MILLPOND_MAX_CONNECTIONS: '16',
      MILLPOND_MAX_OBJECT_SIZE: '2MiB',
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  ({ url } = await deployment.start());
});
afterAll(() => deployment?.destroy());

function expectError(answer: RawResponse, status: number, error: string): void {
  expect([answer.status, answer.json()]).toMatchObject([status, { error }]);
  expect(answer.header('x-reqid')).toMatch(/./);
}

describe('the body of a signed call', () => {
  test('over 4 MiB answers 413, at 4 MiB it is judged [answer-08]', async () => {
    const small = await sendSigned({ target: '/private', body: 'x'.repeat(4 * MIB) });
    expectError(small, 400, 'invalid argument');
    expectError(
      await sendSigned({ target: '/private', body: 'x'.repeat(4 * MIB + 1) }),
      413,
      'request entity too large',
    );
  });

  test('over 4 MiB answers 413 also when its length is not told [answer-08]', async () => {
    const connection = await openConnection();
    const call = { target: '/private', contentType: 'text/plain' };
    connection.socket.write(
      [
        `POST ${call.target} HTTP/1.1`,
        `Host: ${new URL(target.url).host}`,
        'Content-Type: text/plain',
        `Authorization: ${authorize(call)}`,
        'Transfer-Encoding: chunked\r\n\r\n',
      ].join('\r\n'),
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent <= 4 * MIB; sent += 0x10000) connection.socket.write(chunk);
    expectError(await connection.answer('POST'), 413, 'request entity too large');
    connection.socket.destroy();
  });

  test('refused early is read on, so that a client still sending gets its answer', async () => {
    const body = Buffer.alloc(12 * MIB, 'x');
    for (const path of ['/private', '/nothing']) {
      const connection = await openConnection();
      const headers = [['Authorization', authorize({ target: path })]] as const;
      connection.socket.write(requestBytes(target.url, { method: 'POST', target: path, headers, body }));
      const answer = await connection.answer('POST');
      expectError(
        answer,
        path === '/private' ? 413 : 404,
        path === '/private' ? 'request entity too large' : 'not found',
      );
      expect(answer.header('connection')).toBe('close');
      await connection.closed;
      expect(connection.socket.errored ?? undefined).toBeUndefined();
    }
  });

  test('refused early is not read for ever', async () => {
    const connection = await openConnection();
    connection.socket.on('error', () => undefined);
    const head = requestBytes(target.url, {
      method: 'POST',
      target: '/nothing',
      headers: [['Content-Length', String(1024 * MIB)]],
    });
    connection.socket.write(head);
    expectError(await connection.answer('POST'), 404, 'not found');
    let sent = 0;
    while (connection.socket.writable && sent < 200 * MIB) {
      if (!connection.socket.write(Buffer.alloc(MIB))) await Promise.race([sleep(200), connection.closed]);
      sent += MIB;
    }
    await connection.closed;
    expect(sent).toBeLessThan(100 * MIB);
  });

  test('is not read before there is a credential of a key that exists', async () => {
    const unknown = { accessKey: 'nobody', secretKey: 'nothing' };
    const credentials = [undefined, 'nonsense', authorize({ target: '/private' }, { keys: unknown })];
    for (const authorization of credentials) {
      const connection = await openConnection();
      const headers = [
        ['Content-Length', String(4 * MIB)],
        ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
      ] as const;
      connection.socket.write(requestBytes(target.url, { method: 'POST', target: '/private', headers }));
      // Not a byte of it was sent.
      expectError(await connection.answer('POST'), 401, 'bad token');
      connection.socket.destroy();
    }
  });

  test('is held within a budget, of which an address gets half, for a time of its own', async () => {
    const settings = {
      MILLPOND_BODY_MEMORY: '16MiB',
      MILLPOND_BODY_TIMEOUT: '6s',
      MILLPOND_REQUEST_TIMEOUT: '1h',
      MILLPOND_IDLE_TIMEOUT: '60s',
    };
    const server = await deployment.start({ settings });
    const signer = { url: server.url, keys: account };
    const open = async (length: number) => {
      const connection = await openConnection(server.url);
      const headers = [
        ['Content-Length', String(length + 1)],
        ['Authorization', authorize({ target: '/batch' }, signer)],
      ] as const;
      connection.socket.write(requestBytes(server.url, { method: 'POST', target: '/batch', headers }));
      connection.socket.write(Buffer.alloc(length, 'x'));
      return connection;
    };
    const started = Date.now();
    const slow = await Promise.all(Array.from({ length: 6 }, () => open(3 * MIB)));
    const statuses = slow.map(async (connection) => (await connection.answer('POST')).status);
    expect(await Promise.race(statuses)).toBe(573);
    // What is small is held all the same.
    const call = { target: '/private', body: `bucket=${BUCKET}&private=0` };
    expect((await sendSigned(call, signer)).status).toBe(200);
    const all = (await Promise.all(statuses)).toSorted((one, other) => one - other);
    // At most two of them have room, and are given up after their time.
    expect(all.slice(0, 1)).toEqual([408]);
    expect(all.slice(2)).toEqual([573, 573, 573, 573]);
    expect(Date.now() - started).toBeGreaterThan(5_900);
    await Promise.all(slow.map((connection) => connection.closed));
    const body = 'x'.repeat(4 * MIB);
    expectError(await sendSigned({ target: '/private', body }, signer), 400, 'invalid argument');
    await server.kill('SIGKILL');
  });

  test('refused early leaves the connection usable where it is small', async () => {
    const connection = await openConnection();
    for (const path of ['/nothing', '/private', '/nothing']) {
      connection.socket.write(
        requestBytes(target.url, { method: 'POST', target: path, body: 'x'.repeat(1000) }),
      );
      const answer = await connection.answer('POST');
      expect(answer.status).toBe(path === '/private' ? 401 : 404);
      expect(answer.header('connection')).toBe('keep-alive');
    }
    connection.socket.destroy();
  });
});

describe('a form', () => {
  test('above 1 MiB is taken: no default of a framework cuts it off [G48]', async () => {
    const content = randomContent(3 * MIB);
    const object = await store('large', content);
    const read = await rawFetch({ target: object.path });
    expect(read.body.equals(content)).toBe(true);
  });

  test('above the largest object answers 413, and the client gets to read it', async () => {
    const token = uploadToken(account, { scope: BUCKET });
    const answer = await uploadForm(url, randomContent(6 * MIB), { token, key: 'too-large' });
    expect([answer.status, await answer.json()]).toMatchObject([413, { error: 'request entity too large' }]);
    expect((await uploadForm(url, randomContent(2 * MIB), { token, key: 'fits' })).status).toBe(200);
  });

  test('no part and no block is larger than the largest object', async () => {
    const site = { url, account };
    const upload = await beginUpload(BUCKET, { key: 'parts', site });
    expect((await upload.put(1, randomContent(2 * MIB + 1))).status).toBe(413);
    expect((await upload.put(1, randomContent(2 * MIB))).status).toBe(200);
    const blocks = blocksOf(BUCKET, { site });
    expect((await blocks.mkblk(2 * MIB + 1, 'x')).status).toBe(413);
    expect((await blocks.mkblk(2 * MIB, 'x')).status).toBe(200);
  });
});

describe('headers', () => {
  test('of 30 KiB pass, of 40 KiB answer 431', async () => {
    const padded = (size: number) =>
      rawFetch({ target: '/nothing', headers: [['X-Padding', 'x'.repeat(size)]] });
    expectError(await padded(30 * 1024), 404, 'not found');
    expectError(await padded(40 * 1024), 431, 'request header fields too large');
  });
});

describe('a connection', () => {
  test('whose request does not arrive in time is answered 408 and closed', async () => {
    const started = Date.now();
    const headersOnly = await openConnection(url);
    // A form is a stream: its body has the whole time of a request.
    const form = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 10';
    headersOnly.socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${form}\r\n\r\nabc`);
    const halfHeaders = await openConnection(url);
    halfHeaders.socket.write('POST /private HTTP/1.1\r\nHost: a\r\n');
    // A byte now and then keeps the connection from being idle, not the request from being late.
    const drip = setInterval(() => headersOnly.socket.write('d'), 500);
    try {
      for (const connection of [headersOnly, halfHeaders]) {
        expectError(await connection.answer('POST'), 408, 'the request was not completed in time');
        await connection.closed;
      }
    } finally {
      clearInterval(drip);
    }
    expect(Date.now() - started).toBeGreaterThan(1900);
  });

  test('that is silent is closed', async () => {
    const [fresh, used] = [await openConnection(url), await openConnection(url)];
    used.socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await used.answer()).status).toBe(404);
    await Promise.all([fresh.closed, used.closed]);
  });

  test('beyond the most that may be open is closed, and the others go on', async () => {
    const open = await Promise.all(Array.from({ length: 16 }, () => openConnection(url)));
    const surplus = await openConnection(url);
    await surplus.closed;
    for (const connection of open) connection.socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    const answers = await Promise.all(open.map((connection) => connection.answer()));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 16 }, () => 404));
    for (const connection of open) connection.socket.destroy();
  });
});
