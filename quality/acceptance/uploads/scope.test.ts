import { uploadForm, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import {
  expectContent,
  expectNothing,
  expectRefusal,
  expectStored,
  recordOf,
} from '../support/expectations.ts';
import { newBucket, target, upload } from '../support/target.ts';

const EXISTS = 'file exists';
const MISMATCH = "key doesn't match with scope";

describe('scope <bucket>', () => {
  test('a new key is stored [policy-scope-01]', async () => {
    const bucket = await newBucket();
    await expectStored(await upload({ scope: bucket }, 'first', { key: 'k' }), bucket, 'k', 'first');
  });

  test('identical content under an existing key succeeds and leaves the object as it is [policy-scope-02 policy-rule-03]', async () => {
    const bucket = await newBucket();
    const first = await upload({ scope: bucket }, 'same', { key: 'k' });
    const before = await recordOf(bucket, 'k');
    const second = await upload({ scope: bucket }, 'same', { key: 'k' });
    expect([second.status, await second.json()]).toEqual([200, await first.json()]);
    expect(await recordOf(bucket, 'k')).toEqual(before);
    await expectContent(bucket, 'k', 'same');
  });

  test('different content under an existing key answers 614 and the first stays [policy-scope-03 policy-scope-04 policy-rule-02 G16]', async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket }, 'first', { key: 'k' });
    const before = await recordOf(bucket, 'k');
    await expectRefusal(await upload({ scope: bucket }, 'other', { key: 'k' }), 614, EXISTS);
    await expectContent(bucket, 'k', 'first');
    expect(await recordOf(bucket, 'k')).toEqual(before);
  });

  test('the object lands in the bucket of the scope, whatever the form says [policy-scope-14]', async () => {
    const [named, other] = [await newBucket(), await newBucket()];
    const fields = { bucket: other, scope: other, 'x:bucket': other };
    const answer = await upload({ scope: named }, 'content', { key: 'k', fields });
    await expectStored(answer, named, 'k', 'content');
    await expectNothing(other, 'k');
  });
});

describe('scope <bucket>:<key>', () => {
  test('that key is stored [policy-scope-05]', async () => {
    const bucket = await newBucket();
    const answer = await upload({ scope: `${bucket}:k` }, 'first', { key: 'k' });
    await expectStored(answer, bucket, 'k', 'first');
  });

  test('another key answers 403 and stores nothing [policy-scope-06 policy-rule-06]', async () => {
    const bucket = await newBucket();
    for (const key of ['other', 'K', '', 'k ']) {
      await expectRefusal(await upload({ scope: `${bucket}:k` }, 'first', { key }), 403, MISMATCH);
      await expectNothing(bucket, key);
    }
  });

  test('no key means the hash, which is another key: 403 [policy-scope-06]', async () => {
    const bucket = await newBucket();
    await expectRefusal(await upload({ scope: `${bucket}:k` }, 'hello world'), 403, MISMATCH);
    await expectNothing(bucket, 'FiqubDXJT8-0FdvpX0CLnOke6Ebt');
    await expectNothing(bucket, 'k');
  });

  test.each([{}, { insertOnly: 0 }])(
    'different content overwrites with %j [policy-scope-07 policy-insert-01]',
    async (rule) => {
      const bucket = await newBucket();
      const policy = { scope: `${bucket}:k`, ...rule };
      await upload(policy, 'first', { key: 'k' });
      const before = await recordOf(bucket, 'k');
      await expectStored(await upload(policy, 'second, longer', { key: 'k' }), bucket, 'k', 'second, longer');
      const after = await recordOf(bucket, 'k');
      expect(after.fsize).toBe(14);
      expect(after.putTime).toBeGreaterThan(before.putTime);
    },
  );

  test('with insertOnly 1 the free key is stored and different content answers 614 [policy-scope-08 policy-scope-09 policy-rule-02]', async () => {
    const bucket = await newBucket();
    const policy = { scope: `${bucket}:k`, insertOnly: 1 };
    await expectStored(await upload(policy, 'first', { key: 'k' }), bucket, 'k', 'first');
    const before = await recordOf(bucket, 'k');
    await expectRefusal(await upload(policy, 'other', { key: 'k' }), 614, EXISTS);
    await expectContent(bucket, 'k', 'first');
    expect((await upload(policy, 'first', { key: 'k' })).status).toBe(200);
    expect(await recordOf(bucket, 'k')).toEqual(before);
  });

  test('the text after the colon is one exact key unless isPrefixalScope is 1 [policy-scope-13]', async () => {
    const bucket = await newBucket();
    for (const rule of [{}, { isPrefixalScope: 0 }]) {
      const policy = { scope: `${bucket}:photos/`, ...rule };
      await expectRefusal(await upload(policy, 'content', { key: 'photos/1' }), 403, MISMATCH);
      await expectNothing(bucket, 'photos/1');
    }
  });

  test('the scope splits at its first colon: b:a:c is the key a:c [policy-rule-07]', async () => {
    const bucket = await newBucket();
    const policy = { scope: `${bucket}:a:c` };
    await expectStored(await upload(policy, 'content', { key: 'a:c' }), bucket, 'a:c', 'content');
    await expectRefusal(await upload(policy, 'content', { key: 'c' }), 403, MISMATCH);
    await expectNothing(bucket, 'c');
  });
});

describe('scope <bucket>:<keyPrefix> with isPrefixalScope 1', () => {
  test('a key that begins with the prefix is stored, another answers 403 [policy-scope-10 policy-scope-11]', async () => {
    const bucket = await newBucket();
    const policy = { scope: `${bucket}:photos/`, isPrefixalScope: 1 };
    for (const key of ['photos/1', 'photos/', 'photos/a:b/c']) {
      await expectStored(
        await upload(policy, `content of ${key}`, { key }),
        bucket,
        key,
        `content of ${key}`,
      );
    }
    for (const key of ['photos', 'Photos/1', ' photos/1', '']) {
      await expectRefusal(await upload(policy, 'content', { key }), 403, MISMATCH);
      await expectNothing(bucket, key);
    }
  });

  test.each([{}, { insertOnly: 0 }, { insertOnly: 1 }])(
    'different content under an existing key answers 614 with %j, the object stays [policy-scope-12]',
    async (rule) => {
      const bucket = await newBucket();
      const policy = { scope: `${bucket}:p`, isPrefixalScope: 1, ...rule };
      await upload(policy, 'first', { key: 'p1' });
      await expectRefusal(await upload(policy, 'other', { key: 'p1' }), 614, EXISTS);
      await expectContent(bucket, 'p1', 'first');
    },
  );

  test('an empty prefix matches every key and never overwrites [policy-rule-08]', async () => {
    const bucket = await newBucket();
    const policy = { scope: `${bucket}:`, isPrefixalScope: 1 };
    await expectStored(await upload(policy, 'first', { key: 'any/key' }), bucket, 'any/key', 'first');
    await expectStored(await upload(policy, 'empty', { key: '' }), bucket, '', 'empty');
    await expectRefusal(await upload(policy, 'other', { key: 'any/key' }), 614, EXISTS);
    await expectContent(bucket, 'any/key', 'first');
  });
});

test('each form of scope allows and refuses just what it says [G14]', async () => {
  const bucket = await newBucket();
  await upload({ scope: bucket }, 'taken', { key: 'p:taken' });
  // Answers to: a free key within the scope, a key outside of it, identical and different content under a taken key.
  const forms: [Record<string, unknown>, number[]][] = [
    [{ scope: bucket }, [200, 200, 200, 614]],
    [{ scope: bucket, insertOnly: 1 }, [200, 200, 200, 614]],
    [{ scope: bucket, isPrefixalScope: 1 }, [200, 200, 200, 614]],
    [{ scope: `${bucket}:p:`, isPrefixalScope: 1 }, [200, 403, 200, 614]],
    [{ scope: `${bucket}:p:`, isPrefixalScope: 1, insertOnly: 1 }, [200, 403, 200, 614]],
    [{ scope: `${bucket}:p:` }, [403, 403, 403, 403]],
    [{ scope: `${bucket}:p:taken`, insertOnly: 1 }, [403, 403, 200, 614]],
    [{ scope: `${bucket}:p:taken` }, [403, 403, 200, 200]],
  ];
  for (const [index, [policy, expected]] of forms.entries()) {
    const answers = [
      await upload(policy, 'new', { key: `p:free-${index}` }),
      await upload(policy, 'new', { key: `outside-${index}` }),
      await upload(policy, 'taken', { key: 'p:taken' }),
      await upload(policy, 'different', { key: 'p:taken' }),
    ];
    expect([policy, answers.map(({ status }) => status)]).toEqual([policy, expected]);
  }
  await expectContent(bucket, 'p:taken', 'different');
});

describe('the length of a scope', () => {
  const keyFor = (bucket: string, bytes: number) => 'k'.repeat(bytes - bucket.length - 1);

  test('750 bytes are accepted [policy-scope-15]', async () => {
    const bucket = await newBucket();
    const key = keyFor(bucket, 750);
    await expectStored(
      await upload({ scope: `${bucket}:${key}` }, 'content', { key }),
      bucket,
      key,
      'content',
    );
  });

  test('751 bytes answer 400 and store nothing [policy-scope-16 policy-rule-01]', async () => {
    const bucket = await newBucket();
    const key = keyFor(bucket, 751);
    const answer = await upload({ scope: `${bucket}:${key}` }, 'content', { key });
    await expectRefusal(answer, 400, 'invalid put policy');
    await expectNothing(bucket, key);
  });

  test('the 750 are bytes: 251 letters of three bytes are refused, as many as fit are stored [policy-scope-17]', async () => {
    const bucket = await newBucket();
    const refused = '鍵'.repeat(251);
    const answer = await upload({ scope: `${bucket}:${refused}`, isPrefixalScope: 1 }, 'content', {
      key: 'k',
    });
    await expectRefusal(answer, 400, 'invalid put policy');
    const stored = '鍵'.repeat(Math.floor((749 - bucket.length) / 3));
    await expectStored(
      await upload({ scope: `${bucket}:${stored}` }, 'content', { key: stored }),
      bucket,
      stored,
      'content',
    );
  });
});

test("a bucket that is missing and one of somebody else's answer 631 with the same bytes [policy-rule-13]", async () => {
  const bucket = await newBucket();
  const foreign = uploadToken(target.stranger, { scope: bucket });
  const missing = uploadToken(target.stranger, { scope: `${bucket}x` });
  const answers = [
    await uploadForm(target.url, 'content', { token: foreign, key: 'k' }),
    await uploadForm(target.url, 'content', { token: missing, key: 'k' }),
  ];
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers.map(({ status }) => status)).toEqual([631, 631]);
  expect(bodies).toEqual(['{"error":"no such bucket"}', '{"error":"no such bucket"}']);
  await expectNothing(bucket, 'k');
});
