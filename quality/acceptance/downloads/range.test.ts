import { beforeAll, expect, test } from 'vitest';
import { type Stored, store } from '../support/objects/objects.ts';
import { type RawResponse, rawFetch } from '../support/raw.ts';

const CONTENT = 'abcdefghijklmnopqrstuvwxyz';

let object: Stored;
beforeAll(async () => {
  object = await store('alphabet.txt', CONTENT);
});

function ranged(range: string): Promise<RawResponse> {
  return rawFetch({ target: object.path, headers: [['Range', range]] });
}

function expectPart(answer: RawResponse, first: number, last: number): void {
  expect(answer.status).toBe(206);
  expect(answer.header('content-range')).toBe(`bytes ${first}-${last}/26`);
  expect(answer.header('content-length')).toBe(String(last - first + 1));
  expect(answer.text()).toBe(CONTENT.slice(first, last + 1));
  expect(answer.header('etag')).toBe(`"${object.hash}"`);
}

test('the first bytes are answered with 206 and Content-Range [range-01]', async () => {
  expectPart(await ranged('bytes=0-4'), 0, 4);
  expectPart(await ranged('bytes=3-3'), 3, 3);
  expectPart(await ranged('bytes=20-1000'), 20, 25);
  expectPart(await ranged(`bytes=25-${'9'.repeat(60)}`), 25, 25);
});

test('the last bytes, and all from one on, can be asked for [range-02]', async () => {
  expectPart(await ranged('bytes=-5'), 21, 25);
  expectPart(await ranged('bytes=5-'), 5, 25);
  expectPart(await ranged('bytes=-1000'), 0, 25);
  expectPart(await ranged('bytes=0-'), 0, 25);
});

test('a range past the end answers 416 with the size [range-03]', async () => {
  for (const range of ['bytes=26-', 'bytes=26-30', 'bytes=-0', `bytes=${'9'.repeat(60)}-`]) {
    const answer = await ranged(range);
    expect([answer.status, answer.json()]).toEqual([416, { error: 'range not satisfiable' }]);
    expect(answer.header('content-range')).toBe('bytes */26');
    expect(answer.header('content-type')).toBe('application/json');
  }
});

test('a Range that cannot be read answers everything with 200 [range-04]', async () => {
  for (const range of [
    'lines=0-4',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-2',
    'bytes=0-4 x',
    'bytes=0x1-2',
    '0-4',
    'bytes=0-1,3-4',
  ]) {
    const answer = await ranged(range);
    expect([answer.status, answer.text()], range).toEqual([200, CONTENT]);
    expect(answer.header('content-range')).toBeUndefined();
  }
});
