import { createBucket } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Stored, statTarget, store } from '../support/objects/objects.ts';
import { openConnection, rawFetch } from '../support/raw.ts';
import { send, sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

let object: Stored;
beforeAll(async () => {
  object = await store('a.txt', 'hello world');
});

const FORM = /^[A-Za-z0-9_-]{8,64}$/;

test('a success carries one X-Reqid [reqid-01]', async () => {
  const answers = [
    await sendSigned({ target: object.stat }),
    await rawFetch({ target: object.path }),
    await rawFetch({ target: object.path, method: 'HEAD' }),
    await rawFetch({ target: object.path, headers: [['Range', 'bytes=0-0']] }),
    await rawFetch({ target: object.path, headers: [['If-None-Match', '*']] }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 206, 304]);
  for (const { headers } of answers) {
    const ids = headers.filter(([name]) => name === 'x-reqid');
    expect(ids).toEqual([['x-reqid', expect.stringMatching(FORM)]]);
  }
});

test('every failure carries X-Reqid too [reqid-02]', async () => {
  const form = [['Content-Type', 'multipart/form-data; boundary=x']] as const;
  const answers = {
    400: await sendSigned({ target: '/stat/***' }),
    401: await send({ target: object.stat }),
    404: await rawFetch({ target: '/nothing' }),
    405: await send({ target: object.stat, method: 'PUT' }),
    416: await rawFetch({ target: object.path, headers: [['Range', 'bytes=100-']] }),
    612: await sendSigned({ target: statTarget(object.bucket, 'missing') }),
    631: await sendSigned({ target: statTarget('no-such-bucket', 'a') }),
  };
  for (const [status, answer] of Object.entries(answers)) {
    expect(answer.status).toBe(Number(status));
    expect(answer.header('x-reqid')).toMatch(FORM);
  }
  for (const body of ['', 'no boundary here', '--x\r\n\r\n', '--x--']) {
    const broken = await rawFetch({ method: 'POST', target: '/', headers: form, body });
    expect([broken.status, broken.json()]).toMatchObject([400, { error: 'invalid multipart format' }]);
    expect(broken.header('x-reqid')).toMatch(FORM);
  }
});

test('what is no HTTP at all is answered with an error and X-Reqid', async () => {
  for (const text of ['hello\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n']) {
    const connection = await openConnection();
    connection.socket.write(text);
    const answer = await connection.answer();
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
    expect(answer.header('x-reqid')).toMatch(FORM);
    await connection.closed;
  }
});

test('two requests never carry the same X-Reqid [reqid-03]', async () => {
  await createBucket(target.url, target.account, `ids-${Date.now().toString(36)}`);
  const answers = await Promise.all(Array.from({ length: 200 }, () => rawFetch({ target: object.path })));
  const connection = await openConnection();
  for (let i = 0; i < 50; i++) {
    connection.socket.write(`GET /nothing HTTP/1.1\r\nHost: a\r\nX-Reqid: mine\r\n\r\n`);
    answers.push(await connection.answer());
  }
  connection.socket.destroy();
  const ids = answers.map((answer) => answer.header('x-reqid'));
  expect(new Set(ids).size).toBe(250);
  expect(ids).not.toContain('mine');
});
