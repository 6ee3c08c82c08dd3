/** Metadata changes that are refused, and in which order. */
import { randomBytes } from 'node:crypto';
import { encodeBase64, encodeBase64Text, formatEntry } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { chgm, chgmTarget, expectRefused, metaOf, shownBy } from '../support/objects/change-metadata.ts';
import { store } from '../support/objects/objects.ts';
import { openProxy, throughProxy } from '../support/receivers/proxy.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { send, sendSigned } from '../support/signing.ts';
import { newBucket, target, upload } from '../support/target.ts';

const INVALID = 'invalid argument';
const MIME = `mime/${encodeBase64Text('a/b')}`;
const call = (path: string) => sendSigned({ target: `/chgm/${path}` });

describe('an entry', () => {
  test.each(['!!!', 'YWJj+', 'a', '', encodeBase64Text(''), encodeBase64Text(':key')])(
    'that cannot be parsed answers 400: "%s" [err-chgm-01]',
    async (entry) => {
      expectRefused(await call(`${entry}/${MIME}`), 400, INVALID);
    },
  );

  test('of the bucket alone answers 400 [chgm-rule-14]', async () => {
    const bucket = await newBucket();
    expectRefused(await call(`${encodeBase64Text(bucket)}/${MIME}`), 400, INVALID);
  });

  test('that is not UTF-8 answers 400 [err-chgm-02]', async () => {
    const bucket = await newBucket();
    for (const key of ['\xff', 'a\xc3', '\xed\xa0\x80']) {
      const entry = encodeBase64(Buffer.from(`${bucket}:${key}`, 'latin1'));
      expectRefused(await call(`${entry}/${MIME}`), 400, 'key must be utf8 encoding');
    }
  });

  test('that does not exist answers 612 [err-chgm-07]', async () => {
    const bucket = await newBucket();
    for (const key of ['missing', '']) {
      const answer = await chgm(bucket, key, { mime: 'a/b', cond: 'fsize=1' });
      expectRefused(answer, 612, 'no such file or directory');
    }
  });

  test("in a missing bucket and in another account's bucket answers 612 alike [chgm-rule-13]", async () => {
    const { bucket, key } = await store('k', 'x');
    const missing = `no-${randomBytes(6).toString('hex')}`;
    const answers = [
      await chgm(bucket, key, { mime: 'a/b' }, { keys: target.stranger }),
      await chgm(missing, key, { mime: 'a/b' }, { keys: target.stranger }),
      await chgm(bucket, 'missing', { mime: 'a/b' }),
    ];
    for (const answer of answers) expectRefused(answer, 612, 'no such file or directory');
    expect(new Set(answers.map((answer) => answer.text())).size).toBe(1);
  });
});

describe('a path', () => {
  test('with neither type nor meta pair answers 400 [chgm-rule-01]', async () => {
    const { bucket, key } = await store('k', 'x');
    const entry = formatEntry(bucket, key);
    for (const rest of ['', '/', `/cond/${encodeBase64Text('fsize=1')}`])
      expectRefused(await call(`${entry}${rest}`), 400, INVALID);
  });

  test('with a segment that is unknown, doubled or without value answers 400', async () => {
    const { bucket, key } = await store('k', 'x');
    for (const rest of [
      `size/${encodeBase64Text('1')}/${MIME}`,
      `${MIME}/${MIME}`,
      `${MIME}/cond`,
      `${MIME}/x-svc-meta-a`,
      `x-other-meta-a/${encodeBase64Text('1')}`,
      'mime/a+b/',
      'mime/a%3Db',
    ])
      expectRefused(await call(`${formatEntry(bucket, key)}/${rest}`), 400, INVALID);
    expect((await shownBy(bucket, key)).mimeType).toBe('text/plain');
  });

  test('with a type outside the rules answers 400 [err-chgm-03]', async () => {
    const { bucket, key } = await store('k', 'x');
    expectRefused(await chgm(bucket, key, { mime: 'a%b' }), 400, 'Invalid mimeType');
    expectRefused(await chgm(bucket, key, { mime: 'a'.repeat(201) }), 400, 'Invalid mimeType');
  });

  test('with a cond that is unknown or malformed answers 400 [chgm-rule-07]', async () => {
    const { bucket, key } = await store('k', 'x');
    for (const cond of [
      'etag=1',
      'Hash=x',
      'hash',
      '',
      'fsize=x',
      'fsize=01',
      'putTime=1e3',
      'fsize=1&fsize=1',
    ])
      expectRefused(await chgm(bucket, key, { mime: 'a/b', cond }), 400, INVALID);
  });
});

test('a credential that is not valid answers 401 [err-chgm-04]', async () => {
  const { bucket, key } = await store('k', 'x');
  const request = { target: chgmTarget(bucket, key, { mime: 'a/b' }) };
  for (const authorization of [undefined, 'Svc nonsense', `Svc ${target.account.accessKey}:AAAA`])
    expectRefused(await send(request, authorization), 401, 'bad token');
  expect((await shownBy(bucket, key)).mimeType).toBe('text/plain');
});

test.each([
  ['hash', `hash=${'F'.repeat(28)}`],
  ['mime', 'mime=text/css'],
  ['fsize', 'fsize=2'],
  ['putTime', 'putTime=1'],
])(
  'a %s in cond that does not match answers 613 [err-chgm-08 err-chgm-09 err-chgm-10 err-chgm-11]',
  async (_, cond) => {
    const { bucket, key } = await store('k', 'x');
    const answer = await chgm(bucket, key, { mime: 'a/b', meta: { color: 'red' }, cond });
    expectRefused(answer, 613, 'cond not match');
    expect((await shownBy(bucket, key)).mimeType).toBe('text/plain');
    expect(await metaOf(bucket, key)).toEqual({});
  },
);

describe('an object of the archive classes that was not restored', () => {
  test.each([
    [2, 'archive unrestored'],
    [3, 'deep archive unrestored'],
  ])(
    'answers 403 to any change: class %d [err-chgm-05 err-chgm-06 chgm-rule-09]',
    async (fileType, error) => {
      const bucket = await newBucket();
      await upload({ scope: bucket, fileType }, 'content', { key: 'k' });
      for (const change of [
        { mime: 'a/b' },
        { mime: '' },
        { meta: { color: 'red' } },
        { meta: { color: '' } },
      ])
        expectRefused(await chgm(bucket, 'k', change), 403, error);
      expect(await shownBy(bucket, 'k')).toMatchObject({ mimeType: 'text/plain' });
      expect(await metaOf(bucket, 'k')).toEqual({});
    },
  );

  test('answers 403 before its condition is judged, and 400 before that [chgm-rule-15]', async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket, fileType: 2 }, 'content', { key: 'k' });
    expectRefused(await chgm(bucket, 'k', { mime: 'a/b', cond: 'fsize=1' }), 403, 'archive unrestored');
    expectRefused(await chgm(bucket, 'k', { mime: 'a%b', cond: 'fsize=1' }), 400, 'Invalid mimeType');
  });
});

test('a database that is away answers 599, and the change is not made [err-chgm-12]', async () => {
  const { bucket, key } = await store('k', 'x');
  const engine = target.environment.MILLPOND_REGION_DB ?? '';
  const proxy = await openProxy(engine);
  try {
    const { url } = await startExtraGateway({
      MILLPOND_REGION_DB: throughProxy(engine, proxy),
      MILLPOND_LOG_LEVEL: 'silent',
    });
    expect((await chgm(bucket, key, { mime: 'a/1' }, { url })).status).toBe(200);
    proxy.cut();
    expectRefused(await chgm(bucket, key, { mime: 'a/2' }, { url }), 599, 'server failure');
    proxy.restore();
    expect((await chgm(bucket, key, { meta: { after: '1' } }, { url })).status).toBe(200);
    expect((await shownBy(bucket, key)).mimeType).toBe('a/1');
  } finally {
    await proxy.close();
  }
});

test('every refusal is a JSON object with an error, a string [err-chgm-13]', async () => {
  const { bucket, key } = await store('k', 'x');
  const answers = [
    await call('!!!'),
    await chgm(bucket, key, { mime: 'a%b' }),
    await chgm(bucket, 'missing', { mime: 'a/b' }),
    await chgm(bucket, key, { mime: 'a/b', cond: 'fsize=9' }),
    await send({ target: chgmTarget(bucket, key, { mime: 'a/b' }) }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([400, 400, 612, 613, 401]);
  for (const answer of answers) {
    expect(answer.json()).toMatchObject({ error: expect.any(String) });
    expect(answer.header('content-type')).toBe('application/json');
  }
});
