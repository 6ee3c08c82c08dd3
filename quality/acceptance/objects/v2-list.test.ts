import { decodeListMarker } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expectations.ts';
import { put } from '../support/objects/operations.ts';
import { newKey, useRegion } from '../support/receivers/callbacks.ts';
import { newBucket, stat, target } from '../support/target.ts';

interface ListLine {
  readonly item: ({ key: string } & Record<string, unknown>) | null;
  readonly dir: string;
  readonly marker: string;
}

/** More than the server reads at a time, so that what happens between its reads is seen. */
const COUNT = 4500;
const keys = Array.from(
  { length: COUNT },
  (_, index) => `folder-${index % 10}/${String(index).padStart(5, '0')}`,
);
const sorted = keys.toSorted();
/** Behind all others. */
const last = `z${newKey()}`;
const region = useRegion();
let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, last, 'content');
  await region.database.addCopies(last, keys);
});

function call(
  parameters: Record<string, string> = {},
  method: 'GET' | 'POST' = 'GET',
  account = target.account,
) {
  const query = new URLSearchParams({ bucket, ...parameters }).toString();
  return signedFetch(target.url, account, `/v2/list?${query}`, { method });
}

async function linesOf(answer: Response): Promise<ListLine[]> {
  expect(answer.status).toBe(200);
  const text = await answer.text();
  if (text === '') return [];
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as ListLine);
}

const itemsOf = (listLines: readonly ListLine[]) => listLines.map(({ item }) => item?.key);

describe('/v2/list', () => {
  test.each(['GET', 'POST'] as const)(
    '%s gives every object on a line of its own, with its record and a marker [list-05]',
    async (method) => {
      const answer = await call({}, method);
      expect(answer.headers.get('x-reqid')).toMatch(/./);
      const listLines = await linesOf(answer);
      expect(itemsOf(listLines)).toEqual([...sorted, last]);
      expect(listLines.every(({ dir }) => dir === '')).toBe(true);
      const record = (await (await stat(bucket, last)).json()) as object;
      expect(listLines.at(-1)?.item).toEqual({ key: last, ...record });
      for (const { item, marker } of listLines) expect(decodeListMarker(marker)).toBe(item?.key);
    },
  );

  test('goes on after the marker of any line [list-05]', async () => {
    const listLines = await linesOf(await call());
    for (const at of [0, 1, 999, 1000, 1001, COUNT - 1, COUNT]) {
      const marker = listLines[at]?.marker ?? '';
      expect(itemsOf(await linesOf(await call({ marker })))).toEqual(itemsOf(listLines.slice(at + 1)));
    }
  });

  test('takes prefix and limit; 0, as SDKs send it, is none [list-05]', async () => {
    const inFolder = sorted.filter((key) => key.startsWith('folder-3/'));
    expect(itemsOf(await linesOf(await call({ prefix: 'folder-3/' })))).toEqual(inFolder);
    expect(itemsOf(await linesOf(await call({ limit: '2500' })))).toEqual(sorted.slice(0, 2500));
    expect(await linesOf(await call({ limit: '0' }))).toHaveLength(COUNT + 1);
    expect(await linesOf(await call({ prefix: 'nothing' }))).toEqual([]);
    for (const limit of ['-1', 'x', '1.5'])
      await expectRefusal(await call({ limit }), 400, 'invalid argument');
  });

  test('with a delimiter gives a line for each group, its item null [list-05]', async () => {
    const listLines = await linesOf(await call({ delimiter: '/' }));
    const folders = Array.from({ length: 10 }, (_, index) => `folder-${index}/`);
    expect(listLines.map(({ dir }) => dir)).toEqual([...folders, '']);
    expect(listLines.slice(0, 10).every(({ item }) => item === null)).toBe(true);
    expect(listLines[10]?.item?.key).toBe(last);
    const rest = await linesOf(await call({ delimiter: '/', marker: listLines[4]?.marker ?? '' }));
    expect(rest).toEqual(listLines.slice(5));
  });

  test('of an empty bucket is empty; refusals come before anything else [list-05 G47]', async () => {
    const empty = await newBucket();
    expect(await linesOf(await call({ bucket: empty }))).toEqual([]);
    await expectRefusal(await call({ marker: 'x' }), 640, 'invalid list marker');
    await expectRefusal(await call({ bucket: 'no-such-bucket' }), 631, 'no such bucket');
    await expectRefusal(await call({}, 'GET', target.stranger), 631, 'no such bucket');
    const wrong = { ...target.account, secretKey: 'wrong' };
    await expectRefusal(await call({}, 'GET', wrong), 401, 'bad token');
  });
});
