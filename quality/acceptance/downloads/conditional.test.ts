import { formatHttpDate } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '../support/expectations.ts';
import { type Stored, store } from '../support/objects/objects.ts';
import { type RawResponse, rawFetch } from '../support/raw.ts';

let object: Stored;
/** Unix seconds. */
let modified: number;
beforeAll(async () => {
  object = await store('a.txt', 'hello world');
  modified = Number((await recordOf(object.bucket, object.key)).putTime / 10_000_000n);
});

function get(...headers: [string, string][]): Promise<RawResponse> {
  return rawFetch({ target: object.path, headers });
}

function expectNotModified(answer: RawResponse): void {
  expect(answer.status).toBe(304);
  expect(answer.header('etag')).toBe(`"${object.hash}"`);
  expect(answer.header('last-modified')).toBe(formatHttpDate(modified));
  // A length here would be taken for that of the object.
  expect(answer.header('content-length')).toBeUndefined();
}

function expectWhole(answer: RawResponse): void {
  expect([answer.status, answer.text()]).toEqual([200, 'hello world']);
}

describe('If-None-Match', () => {
  test('with the ETag, weak or in a list, answers 304; with another one 200 [if-01]', async () => {
    const etag = `"${object.hash}"`;
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag},"y"`, '*']) {
      expectNotModified(await get(['If-None-Match', value]));
    }
    for (const value of ['"x"', object.hash, '"x", "y"', `"${object.hash}x"`, '']) {
      expectWhole(await get(['If-None-Match', value]));
    }
  });

  test('answers 304 without a body, so that the connection goes on [if-01]', async () => {
    const answer = await rawFetch({ method: 'HEAD', target: object.path, headers: [['If-None-Match', '*']] });
    expectNotModified(answer);
    expect(answer.header('connection')).toBe('keep-alive');
  });
});

describe('If-Modified-Since', () => {
  test('not older than the object answers 304, older 200 [if-02]', async () => {
    for (const seconds of [0, 1, 3600]) {
      expectNotModified(await get(['If-Modified-Since', formatHttpDate(modified + seconds)]));
    }
    expectWhole(await get(['If-Modified-Since', formatHttpDate(modified - 1)]));
    expectWhole(await get(['If-Modified-Since', 'yesterday']));
  });

  test('is ignored beside If-None-Match [if-02]', async () => {
    const since: [string, string] = ['If-Modified-Since', formatHttpDate(modified + 3600)];
    expectWhole(await get(['If-None-Match', '"x"'], since));
    const before: [string, string] = ['If-Modified-Since', formatHttpDate(modified - 3600)];
    expectNotModified(await get(['If-None-Match', `"${object.hash}"`], before));
  });
});

describe('If-Match and If-Unmodified-Since', () => {
  test('that do not hold answer 412', async () => {
    expectWhole(await get(['If-Match', `"${object.hash}"`]));
    expectWhole(await get(['If-Unmodified-Since', formatHttpDate(modified)]));
    for (const header of [
      ['If-Match', '"x"'],
      ['If-Match', `W/"${object.hash}"`],
      ['If-Unmodified-Since', formatHttpDate(modified - 1)],
    ] as [string, string][]) {
      const answer = await get(header);
      expect([answer.status, answer.json()]).toEqual([412, { error: 'precondition failed' }]);
    }
  });
});

describe('If-Range', () => {
  const range: [string, string] = ['Range', 'bytes=0-4'];

  test('with the ETag answers 206, with another one everything [if-03]', async () => {
    for (const value of [`"${object.hash}"`, formatHttpDate(modified)]) {
      const answer = await get(range, ['If-Range', value]);
      expect([answer.status, answer.text()]).toEqual([206, 'hello']);
    }
    for (const value of [
      '"x"',
      `W/"${object.hash}"`,
      formatHttpDate(modified - 1),
      formatHttpDate(modified + 1),
      'x',
    ]) {
      expectWhole(await get(range, ['If-Range', value]));
    }
  });

  test('without Range does nothing [if-03]', async () => {
    expectWhole(await get(['If-Range', `"${object.hash}"`]));
  });
});
