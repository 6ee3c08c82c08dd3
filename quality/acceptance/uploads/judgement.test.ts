/** Which refusal comes first, and that all of them come before the file is read. */
import { makeUploadToken } from '@millpond/protocol';
import { hashing, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal } from '../support/expectations.ts';
import {
  type FormResponse,
  field,
  file,
  head,
  openUpload,
  type Part,
  postBody,
  postParts,
  wholeBody,
} from '../support/raw-form.ts';
import { newBucket, target, upload } from '../support/target.ts';

const { url, account } = target;
const soon = () => Math.floor(Date.now() / 1000) + 3600;
const BAD_POLICY = 'invalid put policy';
const BAD_FORM = 'invalid multipart format';
const MISMATCH = "key doesn't match with scope";

/** Sends fields and the first bytes of a file that never ends: only a server that doesn't wait for it answers. */
async function answerBeforeFile(fields: readonly Part[]): Promise<FormResponse> {
  const sending = await openUpload(url);
  await sending.send(wholeBody(fields).subarray(0, -wholeBody([]).length));
  await sending.send(Buffer.concat([head({ name: 'file', fileName: 'f' }), Buffer.from('first bytes')]));
  const answer = await sending.answer;
  sending.leave();
  return answer;
}

describe('policies that cannot be used', () => {
  const signed = (json: string) => makeUploadToken(hashing, account, json);

  test('without scope or deadline, or not JSON, the answer is 400 and nothing is stored [policy-rule-11]', async () => {
    const bucket = await newBucket();
    const cases: [string, string][] = [
      [JSON.stringify({ deadline: soon() }), 'scope not specified'],
      [JSON.stringify({ scope: '', deadline: soon() }), 'scope not specified'],
      [JSON.stringify({ scope: bucket }), BAD_POLICY],
      [JSON.stringify({ scope: ':k', deadline: soon() }), BAD_POLICY],
      ['{"scope":', BAD_POLICY],
      [JSON.stringify([bucket]), BAD_POLICY],
      ['null', BAD_POLICY],
    ];
    for (const [policy, error] of cases) {
      const form = [field('token', signed(policy)), field('key', 'k')];
      await expectRefusal(await postParts(url, [...form, file('content')]), 400, error);
      await expectRefusal(await postParts(url, [file('content'), ...form]), 400, error);
    }
    await expectNothing(bucket, 'k');
  });

  test('a field of the wrong type answers 400 before the file is read [policy-rule-12 G7]', async () => {
    const bucket = await newBucket();
    const wrong = [
      { scope: 5 },
      { scope: bucket, deadline: String(soon()) },
      { scope: bucket, deadline: 1.5 },
      { scope: bucket, insertOnly: true },
      { scope: bucket, isPrefixalScope: '1' },
      { scope: bucket, fsizeLimit: '10' },
      { scope: bucket, fsizeMin: -1 },
      { scope: bucket, mimeLimit: 7 },
      { scope: bucket, detectMime: 2 },
      { scope: bucket, fileType: 4 },
      { scope: bucket, endUser: {} },
      { scope: bucket, keylimit: 'k' },
    ];
    for (const policy of wrong) {
      const token = uploadToken(account, policy);
      const answer = await answerBeforeFile([field('token', token), field('key', 'k')]);
      await expectRefusal(answer, 400, BAD_POLICY);
    }
    await expectNothing(bucket, 'k');
  });

  test('what can be told from the fields is told before the file is read [G7]', async () => {
    const bucket = await newBucket();
    const answer = (policy: Record<string, unknown>, key = 'k') =>
      answerBeforeFile([field('token', uploadToken(account, policy)), field('key', key)]);
    await expectRefusal(await answer({ scope: bucket, deadline: soon() - 7200 }), 401, 'expired token');
    await expectRefusal(await answer({ scope: `${bucket}x` }), 631, 'no such bucket');
    await expectRefusal(await answer({ scope: `${bucket}:mine` }, 'other'), 403, MISMATCH);
    const forged = uploadToken({ ...account, secretKey: 'wrong' }, { scope: bucket });
    await expectRefusal(await answerBeforeFile([field('token', forged)]), 401, 'bad token');
  });
});

describe('the order of judgement', () => {
  test('a form that cannot be parsed answers 400 before its token is judged [judge-upload-01]', async () => {
    const badToken = field('token', 'a:b:c');
    const second = field('token', 'a:b:d');
    await expectRefusal(await postParts(url, [badToken, second, file('content')]), 400, BAD_FORM);
    await expectRefusal(await postParts(url, [badToken, field('key', 'k')]), 400, BAD_FORM);
    await expectRefusal(await postBody(url, Buffer.from('nonsense')), 400, BAD_FORM);
    const cut = wholeBody([file('content'), badToken]).subarray(0, -4);
    await expectRefusal(await postBody(url, cut), 400, BAD_FORM);
    const badKey = field('key', Buffer.from([0xff]));
    await expectRefusal(
      await postParts(url, [badToken, badKey, file('content')]),
      400,
      'key must be utf8 encoding',
    );
  });

  test('a bad token answers 401 before its policy is judged [judge-upload-02]', async () => {
    for (const policy of ['not JSON', '{}', JSON.stringify({ scope: 'no-such-bucket', deadline: soon() })]) {
      const forged = makeUploadToken(hashing, { ...account, secretKey: 'wrong' }, policy);
      const form = [field('token', forged), field('key', 'k')];
      await expectRefusal(await postParts(url, [...form, file('content')]), 401, 'bad token');
      await expectRefusal(await postParts(url, [file('content'), ...form]), 401, 'bad token');
    }
  });

  test('a bad policy answers 400 before the bucket is looked up, a missing bucket 631 before the key is held to the scope [judge-upload-03]', async () => {
    const policy = { scope: 'no-such-bucket:mine', insertOnly: 'yes' };
    await expectRefusal(await upload(policy, 'content', { key: 'other' }), 400, BAD_POLICY);
    const missing = { scope: 'no-such-bucket:mine' };
    await expectRefusal(await upload(missing, 'content', { key: 'other' }), 631, 'no such bucket');
  });

  test('a key outside the scope answers 403 whether or not it exists [judge-upload-04]', async () => {
    const bucket = await newBucket();
    await upload({ scope: bucket }, 'content', { key: 'taken' });
    const texts: string[] = [];
    for (const key of ['taken', 'free']) {
      const answer = await upload({ scope: `${bucket}:mine`, insertOnly: 1 }, 'different', { key });
      texts.push(await answer.clone().text());
      await expectRefusal(answer, 403, MISMATCH);
    }
    expect(texts[0]).toBe(texts[1]);
  });
});
