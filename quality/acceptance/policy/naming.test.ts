/** Who names the object: the policy, the client, or the content. */
import { describe, expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal } from '../support/expectations.ts';
import { newBucket, upload } from '../support/target.ts';

const HASH = 'FiqubDXJT8-0FdvpX0CLnOke6Ebt';
const MISMATCH = "key doesn't match with scope";

async function keyOf(
  policy: Record<string, unknown>,
  form: Parameters<typeof upload>[2] = {},
): Promise<string> {
  const bucket = await newBucket();
  const answer = await upload({ scope: bucket, ...policy }, 'hello world', form);
  const body = (await answer.json()) as { key: string };
  expect(answer.status, JSON.stringify(body)).toBe(200);
  await expectContent(bucket, body.key, 'hello world');
  return body.key;
}

describe('the name of an object', () => {
  test("is a forced saveKey's, else the client's, else saveKey's, else the hash [policy-name-01]", async () => {
    const saveKey = 'saved/$(etag)';
    expect(await keyOf({ saveKey, forceSaveKey: true }, { key: 'mine' })).toBe(`saved/${HASH}`);
    expect(await keyOf({ saveKey, forceSaveKey: true })).toBe(`saved/${HASH}`);
    expect(await keyOf({ saveKey, forceSaveKey: false }, { key: 'mine' })).toBe('mine');
    expect(await keyOf({ saveKey }, { key: '' })).toBe('');
    expect(await keyOf({ saveKey })).toBe(`saved/${HASH}`);
    expect(await keyOf({ saveKey: '$(x:none)' })).toBe(HASH);
    expect(await keyOf({})).toBe(HASH);
  });

  test('by saveKey has its variables filled in, the date too [policy-name-02]', async () => {
    const before = new Date();
    const key = await keyOf(
      {
        saveKey: '$(year)-$(mon)-$(day)/$(hour)$(min)$(sec)/$(x:who)/$(fprefix)-$(fsize)$(ext)',
        endUser: 'e',
      },
      { fileName: 'a photo.jpeg', fields: { 'x:who': 'me & you' } },
    );
    const [, date = '', time = '', rest] = /^(\d{4}-\d\d-\d\d)\/(\d{6})\/(.*)$/s.exec(key) ?? [];
    expect(rest).toBe('me & you/a photo-11.jpeg');
    const at = Date.parse(`${date}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
    expect(at).toBeGreaterThan(before.getTime() - 5000);
    expect(at).toBeLessThan(Date.now() + 5000);
  });

  test('by saveKey is held to the scope, and to the rules for keys [policy-name-02]', async () => {
    const bucket = await newBucket();
    const send = (policy: Record<string, unknown>, form = {}) =>
      upload({ scope: bucket, ...policy }, 'hello world', form);
    await expectRefusal(await send({ scope: `${bucket}:mine`, saveKey: 'other' }), 403, MISMATCH);
    const long = { saveKey: '$(x:long)' };
    await expectRefusal(await send(long, { fields: { 'x:long': 'k'.repeat(751) } }), 400, 'invalid argument');
    await expectNothing(bucket, 'other');
  });

  test('can not be forced without a saveKey: 400 [policy-name-03]', async () => {
    const bucket = await newBucket();
    for (const policy of [{ forceSaveKey: true }, { forceSaveKey: true, saveKey: '' }]) {
      const answer = await upload({ scope: bucket, ...policy }, 'hello world', { key: 'k' });
      await expectRefusal(answer, 400, 'invalid put policy');
    }
    await expectNothing(bucket, 'k');
  });

  test('must be on the list of keylimit: off it, or without one, the answer is 403 [policy-name-04]', async () => {
    const bucket = await newBucket();
    const policy = { scope: bucket, keylimit: ['a', 'dir/b'] };
    for (const key of ['a', 'dir/b']) {
      expect((await upload(policy, 'hello world', { key })).status).toBe(200);
      await expectContent(bucket, key, 'hello world');
    }
    await expectRefusal(await upload(policy, 'hello world', { key: 'c' }), 403, MISMATCH);
    await expectRefusal(await upload(policy, 'hello world', { key: 'dir' }), 403, MISMATCH);
    await expectRefusal(await upload(policy, 'hello world'), 403, MISMATCH);
    await expectRefusal(await upload({ ...policy, saveKey: 'a' }, 'hello world'), 403, MISMATCH);
    const forced = { ...policy, saveKey: 'c', forceSaveKey: true };
    await expectRefusal(await upload(forced, 'hello world', { key: 'a' }), 403, MISMATCH);
    for (const key of ['c', 'dir', HASH]) await expectNothing(bucket, key);
  });

  test.each([[[]], [Array.from({ length: 21 }, (_, i) => `k${i}`)], [[5]], ['a']])(
    'can not be limited by %j: 400 [policy-name-04]',
    async (keylimit) => {
      const answer = await upload({ scope: await newBucket(), keylimit }, 'hello world', { key: 'k' });
      await expectRefusal(answer, 400, 'invalid put policy');
    },
  );
});
