import { formatHttpDate } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '../support/expectations.ts';
import { randomContent, type Stored, store } from '../support/objects/objects.ts';
import { type RawResponse, rawFetch } from '../support/raw.ts';
import { newBucket } from '../support/target.ts';

let bucket: string;
let object: Stored;
beforeAll(async () => {
  bucket = await newBucket();
  object = await store('greetings/a.txt', 'hello world', { bucket });
});

/** Headers that two answers about one object share. */
function lasting(answer: RawResponse): Record<string, string> {
  const changing = new Set(['x-reqid', 'date', 'connection', 'keep-alive']);
  return Object.fromEntries(answer.headers.filter(([name]) => !changing.has(name)));
}

describe('GET', () => {
  test('answers the bytes with length, type and the hash as a quoted ETag [download-01]', async () => {
    const answer = await rawFetch({ target: `/${bucket}/greetings/a.txt` });
    expect(answer.status).toBe(200);
    expect(answer.text()).toBe('hello world');
    expect(answer.header('content-length')).toBe('11');
    expect(answer.header('content-type')).toBe('text/plain');
    expect(answer.header('etag')).toBe('"FiqubDXJT8-0FdvpX0CLnOke6Ebt"');
  });

  test('answers large objects byte for byte [download-01]', async () => {
    const content = randomContent(9 * 1024 * 1024 + 17);
    const large = await store('large', content, { bucket });
    const answer = await rawFetch({ target: large.path });
    expect(answer.status).toBe(200);
    expect(answer.header('content-length')).toBe(String(content.length));
    expect(answer.body.equals(content)).toBe(true);
  });

  test('answers Accept-Ranges, and a Last-Modified that agrees with putTime [download-06]', async () => {
    const answer = await rawFetch({ target: object.path });
    const { putTime } = await recordOf(bucket, object.key);
    expect(answer.header('accept-ranges')).toBe('bytes');
    expect(answer.header('last-modified')).toBe(formatHttpDate(Number(putTime / 10_000_000n)));
  });

  test('of an object of 0 bytes answers 200 with Content-Length 0 [download-07]', async () => {
    const empty = await store('empty.bin', '', { bucket });
    for (const method of ['GET', 'HEAD']) {
      const answer = await rawFetch({ method, target: empty.path });
      expect([answer.status, answer.header('content-length')]).toEqual([200, '0']);
      expect(answer.body).toHaveLength(0);
      expect(answer.header('etag')).toBe('"Fto5o-5ea0sNMlW_75VgGJCv2AcJ"');
    }
    const ranged = await rawFetch({ target: empty.path, headers: [['Range', 'bytes=0-']] });
    expect([ranged.status, ranged.header('content-range')]).toEqual([416, 'bytes */0']);
  });

  test('of a missing key or bucket answers 404 with a JSON error and X-Reqid [download-05]', async () => {
    for (const path of [`/${bucket}/missing`, '/no-such-bucket/a.txt', `/${bucket}/greetings`]) {
      const answer = await rawFetch({ target: path });
      expect([answer.status, answer.json()]).toEqual([404, { error: 'not found' }]);
      expect(answer.header('content-type')).toBe('application/json');
      expect(answer.header('x-reqid')).toMatch(/./);
    }
  });

  test('decodes percent escapes once, by bytes [download-04]', async () => {
    const key = 'a b/ü+%41?#&/文.txt';
    await store(key, 'found', { bucket });
    await store('plus+sign', 'plus', { bucket });
    const everyByte = [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    for (const path of [encodeURIComponent(key), everyByte, everyByte.toUpperCase()]) {
      expect((await rawFetch({ target: `/${bucket}/${path}` })).text()).toBe('found');
    }
    expect((await rawFetch({ target: `/${bucket}/plus+sign` })).text()).toBe('plus');
    expect((await rawFetch({ target: `/${bucket}/plus%2Bsign` })).text()).toBe('plus');
    expect((await rawFetch({ target: `/${bucket}/plus%20sign` })).status).toBe(404);
  });

  test('refuses bytes beyond ASCII that are not percent-encoded', async () => {
    const answer = await rawFetch({ target: `/${bucket}/gr\u00fcn.txt` });
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
    expect(answer.header('x-reqid')).toMatch(/./);
  });
});

describe('HEAD', () => {
  test('answers the headers of GET and no body [download-02]', async () => {
    for (const headers of [
      [],
      [['Range', 'bytes=2-4']],
      [['Range', 'bytes=99-']],
      [['If-None-Match', '*']],
    ] as const) {
      const get = await rawFetch({ target: object.path, headers });
      const head = await rawFetch({ method: 'HEAD', target: object.path, headers });
      expect(head.status).toBe(get.status);
      expect(lasting(head)).toEqual(lasting(get));
      expect(head.body).toHaveLength(0);
    }
    const missing = await rawFetch({ method: 'HEAD', target: `/${bucket}/missing` });
    expect(missing.status).toBe(404);
    expect(missing.header('x-reqid')).toMatch(/./);
  });
});
