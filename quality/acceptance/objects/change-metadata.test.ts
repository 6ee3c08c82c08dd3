/** Change object metadata: every form of the path, and what it does. */
import { encodeBase64Text, formatEntry, formatRequestDate } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { recordOf } from '../support/expectations.ts';
import {
  type Change,
  chgm,
  chgmTarget,
  expectEmpty,
  headersOf,
  metaOf,
  shownBy,
} from '../support/objects/change-metadata.ts';
import { type Stored, store } from '../support/objects/objects.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { authorize, send, sendSigned } from '../support/signing.ts';
import { newBucket, target, upload } from '../support/target.ts';

const text = () => store('a.txt', 'hello world');

/** Makes the change on a new text object and gives the object back. */
async function changed(change: Change): Promise<Stored> {
  const object = await text();
  expectEmpty(await chgm(object.bucket, object.key, change));
  return object;
}

describe('the path', () => {
  test('with a type alone changes it: stat and GET show the new one [chgm-01 object-02]', async () => {
    const { bucket, key } = await changed({ mime: 'text/css' });
    expect((await shownBy(bucket, key)).mimeType).toBe('text/css');
    expect((await headersOf(bucket, key))[0]).toBe('text/css');
    expect(await metaOf(bucket, key)).toEqual({});
  });

  test('with a meta pair alone sets it: stat and GET show it [chgm-02 object-02]', async () => {
    const { bucket, key } = await changed({ meta: { color: 'red' } });
    expect(await shownBy(bucket, key)).toMatchObject({
      mimeType: 'text/plain',
      'x-svc-meta': { color: 'red' },
    });
    expect(await headersOf(bucket, key)).toEqual(['text/plain', { 'x-svc-meta-color': 'red' }]);
  });

  test('with a meta pair and cond, as the published sample, changes the metadata only [chgm-03]', async () => {
    const { bucket, key, hash } = await text();
    expectEmpty(await chgm(bucket, key, { meta: { color: 'red' }, cond: `hash=${hash}` }));
    expect(await shownBy(bucket, key)).toMatchObject({
      mimeType: 'text/plain',
      'x-svc-meta': { color: 'red' },
    });
  });

  test('with type, meta pair and cond changes both when the condition matches [chgm-04]', async () => {
    const { bucket, key } = await changed({ mime: 'image/png', meta: { color: 'red' }, cond: 'fsize=11' });
    expect(await shownBy(bucket, key)).toMatchObject({
      mimeType: 'image/png',
      'x-svc-meta': { color: 'red' },
    });
  });

  test('with type and cond and no meta pair changes the type [chgm-05]', async () => {
    const { bucket, key } = await changed({ mime: 'image/png', cond: 'mime=text/plain' });
    expect(await shownBy(bucket, key)).toMatchObject({ mimeType: 'image/png' });
    expect(await metaOf(bucket, key)).toEqual({});
  });

  test('with two meta pairs sets both [chgm-06]', async () => {
    const { bucket, key } = await changed({ meta: { color: 'red', size: 'large' } });
    expect(await metaOf(bucket, key)).toEqual({ color: 'red', size: 'large' });
  });

  test('takes its segments in any order', async () => {
    const { bucket, key } = await text();
    const pairs = ['cond', 'fsize=11', 'x-svc-meta-a', '1', 'mime', 'a/b', 'x-svc-meta-b', '2'];
    const path = pairs.map((part, index) => (index % 2 === 0 ? part : encodeBase64Text(part))).join('/');
    expectEmpty(await sendSigned({ target: `/chgm/${formatEntry(bucket, key)}/${path}` }));
    expect(await shownBy(bucket, key)).toMatchObject({ mimeType: 'a/b', 'x-svc-meta': { a: '1', b: '2' } });
  });

  test.each(['image/a+b;c=,_z', 'text/plain; charset=utf-8', 'a'])(
    'carries the type %s as URL-safe Base64, with and without padding [chgm-07]',
    async (mime) => {
      const { bucket, key } = await text();
      expectEmpty(await chgm(bucket, key, { mime }));
      expect((await shownBy(bucket, key)).mimeType).toBe(mime);
      await chgm(bucket, key, { mime: 'a/b' });
      const unpadded = chgmTarget(bucket, key, { mime }).replace(/=+$/, '');
      expectEmpty(await sendSigned({ target: unpadded }));
      expect((await shownBy(bucket, key)).mimeType).toBe(mime);
    },
  );

  test('knows the URL-safe alphabet only [chgm-07]', async () => {
    const { bucket, key } = await text();
    // No allowed type needs the two characters that set the alphabets apart; these are read, and then refused.
    for (const [encoded, error] of [
      ['YWE_', 'Invalid mimeType'],
      ['YWE-', 'Invalid mimeType'],
      ['YWE%2F', 'invalid argument'],
      ['YWE+', 'invalid argument'],
    ]) {
      const answer = await sendSigned({ target: `/chgm/${formatEntry(bucket, key)}/mime/${encoded}` });
      expect([answer.status, answer.json()]).toMatchObject([400, { error }]);
    }
  });

  test('carries values as URL-safe Base64: stat shows them decoded [chgm-08]', async () => {
    const meta = { one: '/;/', two: 'a/-;,=+_ .z', three: 'x' };
    const { bucket, key } = await changed({ meta });
    expect(await metaOf(bucket, key)).toEqual(meta);
  });
});

describe('cond', () => {
  test('of each field that holds lets the change through [chgm-09 chgm-10 chgm-11 chgm-12]', async () => {
    const { bucket, key, hash } = await text();
    const { putTime } = await recordOf(bucket, key);
    for (const cond of [`hash=${hash}`, 'mime=text/plain', 'fsize=11', `putTime=${putTime}`]) {
      expectEmpty(await chgm(bucket, key, { meta: { last: cond.split('=')[0] ?? '' }, cond }));
      expect(await metaOf(bucket, key)).toEqual({ last: cond.split('=')[0] });
    }
  });

  test('of two fields that hold lets it through [chgm-13]', async () => {
    const { bucket, key, hash } = await text();
    expectEmpty(await chgm(bucket, key, { mime: 'a/b', cond: `hash=${hash}&fsize=11` }));
    expect((await shownBy(bucket, key)).mimeType).toBe('a/b');
  });

  test('of which one does not hold answers 613 and changes nothing [chgm-14 chgm-15]', async () => {
    const { bucket, key, hash } = await text();
    await chgm(bucket, key, { meta: { color: 'red' } });
    for (const cond of [`hash=${hash}&fsize=12`, `fsize=12&hash=${hash}`, 'mime=text/css', 'putTime=1']) {
      const answer = await chgm(bucket, key, { mime: 'a/b', meta: { color: '', size: 'large' }, cond });
      expect([answer.status, answer.json()]).toEqual([613, { error: 'cond not match' }]);
    }
    expect(await shownBy(bucket, key)).toMatchObject({
      mimeType: 'text/plain',
      'x-svc-meta': { color: 'red' },
    });
  });

  test('is not form text: plus and percent stand for themselves [chgm-rule-06]', async () => {
    const { bucket, key } = await text();
    await chgm(bucket, key, { mime: 'image/svg+xml' });
    expect((await chgm(bucket, key, { mime: 'a/b', cond: 'mime=image/svg%2Bxml' })).status).toBe(613);
    expect((await chgm(bucket, key, { mime: 'a/b', cond: 'mime=image/svg xml' })).status).toBe(613);
    expectEmpty(await chgm(bucket, key, { mime: 'text/x;a=b', cond: 'mime=image/svg+xml' }));
    // Only the first equals sign parts the name from its value.
    expectEmpty(await chgm(bucket, key, { mime: 'a/b', cond: 'mime=text/x;a=b' }));
  });

  test('on putTime holds through a chain of changes: they leave it alone [chgm-rule-12 G21]', async () => {
    const { bucket, key } = await text();
    const { putTime, hash } = await recordOf(bucket, key);
    expect(String(putTime)).toMatch(/^\d{17}$/);
    for (const mime of ['a/1', 'a/2', 'a/3'])
      expectEmpty(await chgm(bucket, key, { mime, meta: { mime }, cond: `putTime=${putTime}` }));
    expect(await recordOf(bucket, key)).toMatchObject({ putTime, hash, mimeType: 'a/3' });
    await upload({ scope: `${bucket}:${key}` }, 'other', { key });
    expect((await recordOf(bucket, key)).putTime).toBeGreaterThan(putTime);
    expect((await chgm(bucket, key, { mime: 'a/4', cond: `putTime=${putTime}` })).status).toBe(613);
  });
});

describe('metadata', () => {
  test('is merged: a named key is replaced, the others stay [chgm-rule-02]', async () => {
    const { bucket, key } = await changed({ meta: { color: 'red', size: 'large' } });
    expectEmpty(await chgm(bucket, key, { meta: { color: 'blue', age: '7' } }));
    expect(await metaOf(bucket, key)).toEqual({ color: 'blue', size: 'large', age: '7' });
  });

  test('of an upload is merged likewise', async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket }, 'x', { key: 'k', fields: { 'x-svc-meta-color': 'red' } });
    expectEmpty(await chgm(bucket, 'k', { meta: { size: 'large' } }));
    expect(await metaOf(bucket, 'k')).toEqual({ color: 'red', size: 'large' });
  });

  test('with an empty value is removed; what is not there may be removed too [chgm-rule-03]', async () => {
    const { bucket, key } = await changed({ meta: { color: 'red', size: 'large' } });
    expectEmpty(await chgm(bucket, key, { meta: { color: '', missing: '' } }));
    expect(await metaOf(bucket, key)).toEqual({ size: 'large' });
    expectEmpty(await chgm(bucket, key, { meta: { size: '' } }));
    expect(await shownBy(bucket, key)).not.toHaveProperty('x-svc-meta');
  });

  test('is named in lower case, however it was written [chgm-rule-10]', async () => {
    const { bucket, key } = await changed({ meta: { Color: 'red' } });
    expect(await metaOf(bucket, key)).toEqual({ color: 'red' });
    expectEmpty(await chgm(bucket, key, { meta: { cOLOR: 'blue' } }));
    expect(await metaOf(bucket, key)).toEqual({ color: 'blue' });
  });

  test('goes with its object: an overwrite begins anew', async () => {
    const { bucket, key } = await changed({ mime: 'a/b', meta: { color: 'red' } });
    await upload({ scope: `${bucket}:${key}` }, 'plain text again', { key });
    expect((await shownBy(bucket, key)).mimeType).toBe('text/plain');
    expect(await metaOf(bucket, key)).toEqual({});
  });
});

describe('an empty type', () => {
  const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'base64');

  test.each(['', '/', `/x-svc-meta-a/${encodeBase64Text('1')}`])(
    'brings back the type that was detected at upload: /mime/%s [chgm-rule-04 mime-06 G19]',
    async (rest) => {
      const bucket = await newBucket();
      await upload({ scope: bucket }, new Uint8Array(PNG), { key: 'k' });
      expect((await shownBy(bucket, 'k')).mimeType).toBe('image/png');
      await chgm(bucket, 'k', { mime: 'text/css' });
      expectEmpty(await sendSigned({ target: `/chgm/${formatEntry(bucket, 'k')}/mime/${rest}` }));
      expect((await shownBy(bucket, 'k')).mimeType).toBe('image/png');
      if (rest.length > 1) expect(await metaOf(bucket, 'k')).toEqual({ a: '1' });
    },
  );
});

describe('the call', () => {
  test('with form type, date and credential and an empty body is accepted [chgm-16 chgm-17 chgm-18 chgm-20]', async () => {
    const { bucket, key } = await text();
    const date = formatRequestDate(new Date());
    expect(date).toMatch(/^\d{8}T\d{6}Z$/);
    const call = {
      target: chgmTarget(bucket, key, { mime: 'a/b' }),
      headers: [['X-Svc-Date', date]],
    } as const;
    const authorization = authorize(call);
    expect(authorization).toMatch(/^Svc /);
    expectEmpty(await send(call, authorization));
    expect((await shownBy(bucket, key)).mimeType).toBe('a/b');
  });

  test('is served on the object management host, and no other [chgm-19]', async () => {
    const { bucket, key } = await text();
    const { url } = await startExtraGateway({ MILLPOND_HOSTS: 'rs=rs.test,io=io.test,up=up.test' });
    const call = { target: chgmTarget(bucket, key, { mime: 'a/b' }) };
    const at = (host: string) => send({ ...call, host }, authorize({ ...call, host }), url);
    expect((await at('io.test')).status).toBe(404);
    expect((await at('up.test')).status).toBe(404);
    expect((await shownBy(bucket, key)).mimeType).toBe('text/plain');
    expectEmpty(await at('rs.test'));
    expect((await shownBy(bucket, key)).mimeType).toBe('a/b');
  });

  test('is a POST: a GET answers 405', async () => {
    const { bucket, key } = await text();
    const answer = await sendSigned({ method: 'GET', target: chgmTarget(bucket, key, { mime: 'a/b' }) });
    expect(answer.status).toBe(405);
  });

  test('is the owner’s: with the wrong key nothing changes', async () => {
    const { bucket, key } = await text();
    expect((await chgm(bucket, key, { mime: 'a/b' }, { keys: target.stranger })).status).toBe(612);
    expect((await shownBy(bucket, key)).mimeType).toBe('text/plain');
  });
});
