import { encodeBase64Text } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { put } from '../support/objects/operations.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { newBucket, target } from '../support/target.ts';

interface Page {
  readonly marker?: string;
  readonly commonPrefixes?: string[];
  readonly items: { key: string }[];
}

/** In byte order, which is neither that of UTF-16 nor that of any language. */
const KEYS = [
  '',
  '!',
  '-x',
  'A',
  'a',
  'a-',
  'a/',
  'a/1',
  'a/2/x',
  'a/2/y',
  'a0',
  'b/1',
  'z',
  'é',
  '\u{ffff}',
  '\u{1f600}',
];
const region = useRegion();
let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await Promise.all(KEYS.map((key) => put(bucket, key, `content of ${key}`)));
});

function list(parameters: Record<string, string>, method: 'GET' | 'POST' = 'GET', keys = target.account) {
  const query = new URLSearchParams({ bucket, ...parameters }).toString();
  return signedFetch(target.url, keys, `/list?${query}`, { method });
}

async function pageOf(parameters: Record<string, string> = {}): Promise<Page> {
  const answer = await list(parameters);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Page;
}

async function pagesOf(parameters: Record<string, string>): Promise<Page[]> {
  const pages = [await pageOf(parameters)];
  for (let last = pages[0]; last?.marker !== undefined; last = pages.at(-1))
    pages.push(await pageOf({ ...parameters, marker: last.marker }));
  return pages;
}

const keysOf = (page: Page) => page.items.map(({ key }) => key);

describe('list', () => {
  test.each(['GET', 'POST'] as const)(
    '%s answers the keys in byte order, each with its record [list-01]',
    async (method) => {
      const answer = await list({}, method);
      expect(answer.headers.get('content-type')).toBe('application/json');
      const page = (await answer.json()) as Page;
      expect(keysOf(page)).toEqual(KEYS);
      expect(page.items[3]).toEqual({
        key: 'A',
        fsize: 12,
        hash: expect.stringMatching(/^F[\w-]{27}$/),
        mimeType: expect.any(String),
        type: 0,
        putTime: expect.any(Number),
      });
      expect(page).not.toHaveProperty('marker');
    },
  );

  test('at most `limit` of them; 1000 where none is given [list-01]', async () => {
    expect(keysOf(await pageOf({ limit: '3' }))).toEqual(KEYS.slice(0, 3));
    expect(keysOf(await pageOf({ limit: '1000' }))).toEqual(KEYS);
    for (const limit of ['0', '1001', '-1', 'x', '1.5', '1e2', ' 1'])
      await expectRefusal(await list({ limit }), 400, 'invalid argument');
  });

  test('1,000 without a limit, though there are more [list-01]', async () => {
    const [full, key] = [await newBucket(), newKey()];
    await put(full, key, 'content');
    await region.database.addCopies(
      key,
      Array.from({ length: 1000 }, (_, index) => `k${index}`),
    );
    const answer = await signedFetch(target.url, target.account, `/list?bucket=${full}`);
    const page = (await answer.json()) as Page;
    expect(page.items).toHaveLength(1000);
    expect(page.marker).toMatch(/./);
  });

  test.each([1, 2, 7, 15, 16])(
    'pages of %i hold every key once; the last has no marker [list-02]',
    async (limit) => {
      const pages = await pagesOf({ limit: String(limit) });
      expect(pages.flatMap(keysOf)).toEqual(KEYS);
      expect(pages).toHaveLength(Math.ceil(KEYS.length / limit));
    },
  );

  test('a marker is where a list goes on, whether its key is there or not [list-02]', async () => {
    const marker = encodeBase64Text('{"c":0,"k":"a/2/"}');
    expect(keysOf(await pageOf({ marker }))).toEqual(KEYS.slice(KEYS.indexOf('a/2/x')));
  });

  test('`prefix` narrows, `delimiter` folds the rest into commonPrefixes, which count to limit [list-03]', async () => {
    expect(keysOf(await pageOf({ prefix: 'a' }))).toEqual(['a', 'a-', 'a/', 'a/1', 'a/2/x', 'a/2/y', 'a0']);
    expect(keysOf(await pageOf({ prefix: 'nothing' }))).toEqual([]);
    const folded = await pageOf({ delimiter: '/' });
    expect(folded.commonPrefixes).toEqual(['a/', 'b/']);
    expect(keysOf(folded)).toEqual(KEYS.filter((key) => !key.includes('/')));
    const inside = await pageOf({ prefix: 'a/', delimiter: '/' });
    expect([inside.commonPrefixes, keysOf(inside)]).toEqual([['a/2/'], ['a/', 'a/1']]);
    for (const limit of [1, 2, 3, 5]) {
      const pages = await pagesOf({ delimiter: '/', limit: String(limit) });
      expect(pages.flatMap((page) => page.commonPrefixes ?? [])).toEqual(['a/', 'b/']);
      expect(pages.flatMap(keysOf)).toEqual(keysOf(folded));
      for (const page of pages)
        expect(page.items.length + (page.commonPrefixes?.length ?? 0)).toBeLessThanOrEqual(limit);
    }
  });

  test.each(['x', '!', encodeBase64Text('{}'), encodeBase64Text('{"c":1,"k":"a"}'), encodeBase64Text('[')])(
    'the marker %j cannot be read: 640 [list-04]',
    async (marker) => {
      await expectRefusal(await list({ marker }), 640, 'invalid list marker');
    },
  );

  test("of a missing bucket and of somebody else's answer alike [list-01 G47]", async () => {
    const foreign = await list({}, 'GET', target.stranger);
    const missing = await list({ bucket: 'no-such-bucket' }, 'GET', target.stranger);
    expect([foreign.status, await foreign.text()]).toEqual([631, '{"error":"no such bucket"}']);
    expect([missing.status, await missing.text()]).toEqual([631, '{"error":"no such bucket"}']);
  });
});
