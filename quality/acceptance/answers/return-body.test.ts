/** returnBody: the answer as the policy writes it, and what its variables become. */
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal } from '../support/expectations.ts';
import { newBucket, upload } from '../support/target.ts';

const HASH = 'FiqubDXJT8-0FdvpX0CLnOke6Ebt';

type Form = Parameters<typeof upload>[2];

/** The answer to an upload of `hello world` with this returnBody. */
async function answerTo(returnBody: string, form: Form = {}, policy: Record<string, unknown> = {}) {
  const bucket = await newBucket();
  const answer = await upload({ scope: bucket, returnBody, ...policy }, 'hello world', form);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  return { bucket, text, json: JSON.parse(text) as unknown };
}

describe('returnBody', () => {
  test('is the answer, with its variables filled in [policy-return-02 var-01 var-02]', async () => {
    const { text } = await answerTo('{"name": $(fname), "size": $(fsize), "hash": $(etag)}', {
      key: 'k',
      fileName: 'sunflower.jpg',
    });
    expect(text).toBe(`{"name": "sunflower.jpg", "size": 11, "hash": "${HASH}"}`);
  });

  test('takes custom variables, each from its own field [var-03 var-04]', async () => {
    const fields = { 'x:a': 'first', 'x:b': 'second', 'x:c': '' };
    const { json } = await answerTo('{"b":$(x:b),"a":$(x:a),"c":$(x:c),"d":$(x:d),"A":$(x:A)}', {
      key: 'k',
      fields,
    });
    expect(json).toEqual({ a: 'first', b: 'second', c: '', d: null, A: null });
  });

  test('knows bucket, key, hash, names, size, type, owner and a new UUID [var-rule-01]', async () => {
    const names = [
      'bucket',
      'key',
      'etag',
      'fname',
      'fsize',
      'mimeType',
      'endUser',
      'ext',
      'fprefix',
      'keybase',
      'uuid',
    ];
    const template = `{${names.map((name) => `"${name}":$(${name})`).join()}}`;
    const form = { key: 'dir/object.b.txt', fileName: 'holiday.2026.txt', mimeType: 'text/x-diary' };
    const policy = { endUser: 'reader 7' };
    const { bucket, json } = await answerTo(template, form, policy);
    expect(json).toEqual({
      bucket,
      key: 'dir/object.b.txt',
      etag: HASH,
      fname: 'holiday.2026.txt',
      fsize: 11,
      mimeType: 'text/x-diary',
      endUser: 'reader 7',
      ext: '.txt',
      fprefix: 'holiday.2026',
      keybase: 'dir/object.b',
      uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
    const again = await answerTo(template, form, policy);
    expect((again.json as { uuid: string }).uuid).not.toBe((json as { uuid: string }).uuid);
  });

  test('writes a bare text as a JSON string and a number as a number, in both kinds of brackets [var-rule-02]', async () => {
    const { text } = await answerTo(`{"a":$(key),"b":\${fsize},"c":[$(fsize),$(key)]}`, { key: 'k' });
    expect(text).toBe('{"a":"k","b":11,"c":[11,"k"]}');
  });

  test('escapes what stands inside quotes [var-rule-03]', async () => {
    const key = 'a "quoted" \\ back\tslash';
    const { json } = await answerTo('{"a":"<$(key)>","b":"$(fsize) bytes","c":"$(x:none)"}', { key });
    expect(json).toEqual({ a: `<${key}>`, b: '11 bytes', c: '' });
  });

  test('is filled in once: a value that looks like a variable stays as it is [var-rule-05]', async () => {
    const { json } = await answerTo('{"name":$(fname),"x":"$(x:v)","k":$(key)}', {
      key: '$(etag)',
      fileName: '$(fsize)',
      fields: { 'x:v': `\${key}$(bucket)` },
    });
    expect(json).toEqual({ name: '$(fsize)', x: `\${key}$(bucket)`, k: '$(etag)' });
  });

  test('has null for what has no value, and nothing inside quotes [var-rule-06]', async () => {
    const { text } = await answerTo(
      '{"a":$(x:none),"b":"[$(x:none)]","c":$(endUser),"d":$(persistentId),"e":$(nonsense),"f":$(year)}',
      { key: 'k' },
    );
    expect(text).toBe('{"a":null,"b":"[]","c":null,"d":null,"e":null,"f":null}');
  });

  test.each(['hash=$(etag)', '{"a":$(key)', '{$(key):1}', '{"a":1$(fsize)}', 'plain text'])(
    '%s is no JSON, and answers 400 before anything is stored [var-rule-09]',
    async (returnBody) => {
      const bucket = await newBucket();
      const answer = await upload({ scope: bucket, returnBody }, 'hello world', { key: 'k' });
      await expectRefusal(answer, 400, 'invalid put policy');
      await expectNothing(bucket, 'k');
    },
  );

  test('that grows past its limit answers 413 and stores nothing [policy-return-02]', async () => {
    const bucket = await newBucket();
    const returnBody = `{${Array.from({ length: 200 }, (_, i) => `"${i}":$(x:long)`).join()}}`;
    const answer = await upload({ scope: bucket, returnBody }, 'hello world', {
      key: 'k',
      fields: { 'x:long': 'x'.repeat(10_000) },
    });
    await expectRefusal(answer, 413, 'request entity too large');
    await expectNothing(bucket, 'k');
  });
});
