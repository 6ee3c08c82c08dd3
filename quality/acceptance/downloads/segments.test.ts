import { openRegionDatabase } from '@millpond/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Stored, store } from '../support/objects/objects.ts';
import { rawFetch } from '../support/raw.ts';
import { newBucket, target } from '../support/target.ts';

const PARTS = ['first, ', 'second, ', '', 'and the last'];
const WHOLE = PARTS.join('');

let object: Stored;

/** An object made of the bytes of several: what an upload in parts will leave behind. */
beforeAll(async () => {
  const bucket = await newBucket();
  const keys = PARTS.map((_, index) => `${bucket}-part-${index}`);
  for (const [index, content] of PARTS.entries()) await store(keys[index] ?? '', content, { bucket });
  object = await store(`${bucket}-whole`, 'replaced below', { bucket });
  const database = await openRegionDatabase(target.environment.MILLPOND_REGION_DB ?? '');
  await database.joinSegments(object.key, keys);
  await database.close();
});

test('a blob in segments is read as one', async () => {
  const answer = await rawFetch({ target: object.path });
  expect([answer.status, answer.text()]).toEqual([200, WHOLE]);
  expect(answer.header('content-length')).toBe(String(WHOLE.length));
});

test('every range of it, across segments or not, is right [range-05]', async () => {
  const asked: Promise<[string, string]>[] = [];
  for (let first = 0; first < WHOLE.length; first += 3) {
    for (let last = first; last < WHOLE.length; last += 4) {
      asked.push(
        rawFetch({ target: object.path, headers: [['Range', `bytes=${first}-${last}`]] }).then((answer) => {
          expect([answer.status, answer.header('content-range')]).toEqual([
            206,
            `bytes ${first}-${last}/${WHOLE.length}`,
          ]);
          return [answer.text(), WHOLE.slice(first, last + 1)];
        }),
      );
    }
  }
  for (const [got, expected] of await Promise.all(asked)) expect(got).toBe(expected);
});
