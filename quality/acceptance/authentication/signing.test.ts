import { createHmac } from 'node:crypto';
import { FORM_TYPE } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Stored, statTarget, store } from '../support/objects/objects.ts';
import type { RawResponse } from '../support/raw.ts';
import { authorize, send, sendSigned } from '../support/signing.ts';
import { newBucket, target } from '../support/target.ts';

let object: Stored;
beforeAll(async () => {
  object = await store('a.txt', 'hello world');
});

const host = new URL(target.url).host;

function expectBadToken(answer: RawResponse): void {
  expect(answer.status).toBe(401);
  expect(answer.json()).toEqual({ error: 'bad token' });
}

/** The signature as the documentation words it, with nothing of the library that signs elsewhere. */
function signByHand(text: string, secretKey: string = target.account.secretKey): string {
  const sign = createHmac('sha1', secretKey).update(text).digest('base64');
  return `${target.account.accessKey}:${sign.replaceAll('+', '-').replaceAll('/', '_')}`;
}

describe('a management credential', () => {
  test('is accepted as scheme word, one space and credential [auth-01]', async () => {
    const call = { target: object.stat };
    const authorization = authorize(call);
    expect(authorization).toMatch(/^Svc [A-Za-z0-9_-]+:[A-Za-z0-9_-]+=$/);
    const answer = await send(call, authorization);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ hash: object.hash });
  });

  test('must be there [auth-02]', async () => {
    expectBadToken(await send({ target: object.stat }));
    expectBadToken(await send({ target: object.stat }, ''));
  });

  test('with a wrong signature is refused [auth-03]', async () => {
    const call = { target: object.stat };
    const signedByAnother = authorize(call, { keys: { ...target.account, secretKey: 'wrong' } });
    expectBadToken(await send(call, signedByAnother));
    const right = authorize(call);
    const signature = right.slice(right.indexOf(':') + 1);
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    expectBadToken(await send(call, right.replace(signature, flipped)));
  });

  test('of a key that does not exist is refused', async () => {
    const call = { target: object.stat };
    expectBadToken(await send(call, authorize(call, { keys: { ...target.account, accessKey: 'nobody' } })));
  });

  test('made for another path is refused [auth-04]', async () => {
    const other = authorize({ target: statTarget(object.bucket, 'b.txt') });
    expectBadToken(await send({ target: object.stat }, other));
  });

  test.each(['svc', 'SVC', 'SvcCb', 'Qiniu', 'QBox', 'Bearer', 'UpToken'])(
    'under the scheme word %s is refused [auth-05]',
    async (word) => {
      const call = { target: object.stat };
      expectBadToken(await send(call, authorize(call).replace('Svc', word)));
    },
  );

  test('glued to the scheme word, or two spaces away from it, is refused [auth-06]', async () => {
    const call = { target: object.stat };
    const authorization = authorize(call);
    expectBadToken(await send(call, authorization.replace('Svc ', 'Svc')));
    expectBadToken(await send(call, authorization.replace('Svc ', 'Svc  ')));
    expectBadToken(await send(call, authorization.replace('Svc ', 'Svc\t')));
  });

  test('with a colon is judged as a signature and as nothing else [sign-01]', async () => {
    const { accessKey, secretKey } = target.account;
    for (const credential of [
      `${accessKey}:`,
      `${accessKey}:${secretKey}`,
      `:${secretKey}`,
      `${accessKey}:${'A'.repeat(27)}=`,
      `${accessKey}:${'A'.repeat(27)}=:extra`,
      ':',
    ]) {
      expectBadToken(await send({ target: object.stat }, `Svc ${credential}`));
    }
  });
});

describe('the signed text', () => {
  test('is method, target, Host, Content-Type, sorted X-Svc lines, an empty line and the body [sign-02]', async () => {
    const bucket = await newBucket();
    const body = `bucket=${bucket}&private=1`;
    const text = `POST /private\nHost: ${host}\nContent-Type: ${FORM_TYPE}\nX-Svc-Alpha: 1\nX-Svc-Beta: two\n\n${body}`;
    const call = {
      target: '/private',
      body,
      headers: [
        ['x-svc-BETA', 'two'],
        ['X-SVC-alpha', '1'],
      ] as const,
    };
    const answer = await send(call, `Svc ${signByHand(text)}`);
    expect(answer.status).toBe(200);
    expect(answer.text()).toBe('');
    const unsorted = text.replace('X-Svc-Alpha: 1\nX-Svc-Beta: two', 'X-Svc-Beta: two\nX-Svc-Alpha: 1');
    expectBadToken(await send(call, `Svc ${signByHand(unsorted)}`));
  });

  test('includes the raw query: a changed one is refused [sign-03]', async () => {
    const call = { target: `${object.stat}?a=1&b=%20` };
    expect((await sendSigned(call)).status).toBe(200);
    for (const changed of ['', '?a=1', '?a=1&b=+', '?b=%20&a=1', '?a=1&b=%20&c', '?a=1&b=%20#']) {
      expectBadToken(await send({ target: object.stat + changed }, authorize(call)));
    }
  });

  test('includes Host with its port: another Host is refused [sign-04]', async () => {
    const call = { target: object.stat };
    const { hostname, port } = new URL(target.url);
    for (const other of [hostname, `localhost:${port}`, `${hostname}:${Number(port) + 1}`]) {
      expectBadToken(await send({ ...call, host: other }, authorize(call)));
      expect((await sendSigned({ ...call, host: other })).status).toBe(200);
    }
  });

  test('includes the method: another one never passes [sign-05]', async () => {
    const asPost = authorize({ target: object.stat, method: 'POST' });
    expectBadToken(await send({ target: object.stat, method: 'GET' }, asPost));
    expect((await send({ target: object.stat, method: 'DELETE' }, asPost)).status).toBe(405);
    expect((await send({ target: object.stat, method: 'POST' }, asPost)).status).toBe(200);
  });

  test('includes Content-Type where the header is there, and has no line where it is not [sign-06]', async () => {
    const form = { target: object.stat };
    expectBadToken(await send({ ...form, contentType: 'application/json' }, authorize(form)));
    expectBadToken(await send({ ...form, contentType: null }, authorize(form)));
    const none = { ...form, contentType: null };
    const text = `POST ${object.stat}\nHost: ${host}\n\n`;
    expect((await send(none, `Svc ${signByHand(text)}`)).status).toBe(200);
    expectBadToken(await send(form, `Svc ${signByHand(text)}`));
  });

  test('includes every X-Svc header: none can be added, removed or changed [sign-07]', async () => {
    const signed = { target: object.stat, headers: [['X-Svc-Note', 'one']] as const };
    const authorization = authorize(signed);
    expect((await send(signed, authorization)).status).toBe(200);
    expect((await send({ ...signed, headers: [['x-svc-note', 'one']] }, authorization)).status).toBe(200);
    expectBadToken(await send({ ...signed, headers: [] }, authorization));
    expectBadToken(await send({ ...signed, headers: [['X-Svc-Note', 'two']] }, authorization));
    const added = [...signed.headers, ['X-Svc-Other', '1'] as const];
    expectBadToken(await send({ ...signed, headers: added }, authorization));
    const others = [...signed.headers, ['X-Other', '1'] as const, ['X-Svc', '1'] as const];
    expect((await send({ ...signed, headers: others }, authorization)).status).toBe(200);
  });

  test('includes the body beside a Content-Type: a changed form is refused [sign-08]', async () => {
    const bucket = await newBucket();
    const call = { target: '/private', body: `bucket=${bucket}&private=0` };
    expect((await sendSigned(call)).status).toBe(200);
    expectBadToken(await send({ ...call, body: `bucket=${bucket}&private=1` }, authorize(call)));
    expectBadToken(await send({ ...call, body: '' }, authorize(call)));
    const json = { ...call, contentType: 'application/json' };
    expectBadToken(await send({ ...json, body: `${call.body} ` }, authorize(json)));
  });

  test('leaves the body out with application/octet-stream [sign-09]', async () => {
    const call = { target: object.stat, contentType: 'application/octet-stream' };
    const text = `POST ${object.stat}\nHost: ${host}\nContent-Type: application/octet-stream\n\n`;
    const authorization = `Svc ${signByHand(text)}`;
    expect((await send({ ...call, body: 'anything' }, authorization)).status).toBe(200);
    expect((await send({ ...call, body: 'else' }, authorization)).status).toBe(200);
    expectBadToken(await send({ ...call, body: 'anything' }, `Svc ${signByHand(`${text}anything`)}`));
  });

  test('of a call without a body is no use for one with: what is not signed is not read', async () => {
    const bucket = await newBucket();
    const path = `/private?bucket=${bucket}&private=1`;
    const forged = `bucket=${bucket}&private=0`;
    const isPrivate = async () => {
      const info = await sendSigned({ target: `/v2/bucketInfo?bucket=${bucket}` });
      return (info.json() as { private: number }).private;
    };
    for (const contentType of [null, 'application/octet-stream']) {
      const call = { target: path, contentType };
      const authorization = authorize(call);
      expect((await send(call, authorization)).status).toBe(200);
      expect((await send({ ...call, body: forged }, authorization)).status).toBe(200);
      expect(await isPrivate()).toBe(1);
    }
    // What is signed and stands in the form wins.
    expect((await sendSigned({ target: path, body: 'private=0' })).status).toBe(200);
    expect(await isPrivate()).toBe(0);
  });

  test('holds the raw bytes of the path: its percent-encoded form is another text [sign-10]', async () => {
    const plain = { target: object.stat };
    const [, , entry = ''] = object.stat.split('/');
    const first = `%${entry.charCodeAt(0).toString(16)}`;
    const encoded = { target: `/stat/${first}${entry.slice(1)}` };
    expect(decodeURIComponent(encoded.target)).toBe(plain.target);
    expectBadToken(await send(encoded, authorize(plain)));
    expectBadToken(await send(plain, authorize(encoded)));
    const own = await sendSigned(encoded);
    expect(own.status).toBe(400);
    expect(own.json()).toMatchObject({ error: 'invalid argument' });
  });
});

describe('judgement', () => {
  test('begins with the route: a wrong method without credential is 405 [judge-01]', async () => {
    const answer = await send({ target: object.stat, method: 'PUT' });
    expect(answer.status).toBe(405);
    expect(answer.json()).toMatchObject({ error: 'method not allowed' });
  });

  test('puts the credential before the arguments [judge-02]', async () => {
    expectBadToken(await send({ target: '/stat/***' }, authorize({ target: object.stat })));
    expectBadToken(await send({ target: '/stat/***' }));
    expect((await sendSigned({ target: '/stat/***' })).status).toBe(400);
  });

  test('puts the date before the arguments [judge-03]', async () => {
    const headers = [['X-Svc-Date', '20200101T000000Z']] as const;
    expectBadToken(await sendSigned({ target: '/stat/***', headers }));
  });

  test('puts the arguments before existence [judge-04]', async () => {
    const encoded = Buffer.concat([Buffer.from('no-such-bucket-here:'), Buffer.from([0xff])]);
    const bad = await sendSigned({ target: `/stat/${encoded.toString('base64url')}` });
    expect(bad.status).toBe(400);
    expect(bad.json()).toMatchObject({ error: 'key must be utf8 encoding' });
    const good = await sendSigned({ target: statTarget('no-such-bucket-here', 'a') });
    expect(good.status).toBe(631);
  });
});
