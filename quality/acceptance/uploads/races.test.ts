import { expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf } from '../support/expectations.ts';
import { newBucket, upload } from '../support/target.ts';

const ROUNDS = 8;

test('of two racing uploads of different content one answers 200, the other 614 [policy-rule-04]', async () => {
  const bucket = await newBucket();
  for (let round = 0; round < ROUNDS; round++) await raceDifferent(bucket, `two-${round}`, 2);
});

test('of many racing uploads of different content exactly one answers 200 [G15]', async () => {
  const bucket = await newBucket();
  for (let round = 0; round < ROUNDS; round++) await raceDifferent(bucket, `many-${round}`, 12);
});

test('two racing uploads of identical content both answer 200: one object, one putTime [policy-rule-05]', async () => {
  const bucket = await newBucket();
  for (let round = 0; round < ROUNDS; round++) await raceIdentical(bucket, `two-${round}`, 2);
});

test('many racing uploads of identical content all answer 200, and putTime is set once [G15]', async () => {
  const bucket = await newBucket();
  for (let round = 0; round < ROUNDS; round++) await raceIdentical(bucket, `many-${round}`, 12);
});

test('racing overwrites all answer 200, and the object is whole: one of them [policy-scope-07]', async () => {
  const bucket = await newBucket();
  const contents = Array.from({ length: 12 }, (_, index) => `${index} `.repeat(50_000));
  const answers = await Promise.all(
    contents.map((content) => upload({ scope: `${bucket}:k` }, content, { key: 'k' })),
  );
  const hashes = await Promise.all(answers.map(async (answer) => (await hashOf(answer)) ?? ''));
  expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 200));
  const { hash } = await recordOf(bucket, 'k');
  await expectContent(bucket, 'k', contents[hashes.indexOf(hash)] ?? 'none of them');
});

async function raceDifferent(bucket: string, key: string, uploads: number): Promise<void> {
  const contents = Array.from({ length: uploads }, (_, index) => `content ${index} of ${key}`);
  const answers = await Promise.all(contents.map((content) => upload({ scope: bucket }, content, { key })));
  const stored = answers.findIndex(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const [index, answer] of answers.entries()) {
    if (index !== stored) await expectRefusal(answer, 614, 'file exists');
  }
  await expectContent(bucket, key, contents[stored] ?? '');
}

async function raceIdentical(bucket: string, key: string, uploads: number): Promise<void> {
  const racing = Array.from({ length: uploads }, () =>
    upload({ scope: bucket }, `content of ${key}`, { key }),
  );
  const first = await Promise.race(racing);
  const early = await recordOf(bucket, key);
  const answers = await Promise.all(racing);
  expect(answers.map(({ status }) => status)).toEqual(racing.map(() => 200));
  expect(await recordOf(bucket, key)).toEqual(early);
  expect(early.hash).toBe(await hashOf(first));
  await expectContent(bucket, key, `content of ${key}`);
}

async function hashOf(answer: Response): Promise<string | undefined> {
  return ((await answer.clone().json()) as { hash?: string }).hash;
}
