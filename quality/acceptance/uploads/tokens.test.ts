import { uploadToken } from '@millpond/testing';
import { describe, test } from 'vitest';
import { expectNothing, expectRefusal } from '../support/expectations.ts';
import { field, file, postParts } from '../support/raw-form.ts';
import { newBucket, target } from '../support/target.ts';

const url = target.url;
const tokenFor = (scope: string) => uploadToken(target.account, { scope });

describe('upload tokens', () => {
  test('without a token the answer is 401 [upload-05]', async () => {
    const bucket = await newBucket();
    await expectRefusal(
      await postParts(url, [field('key', 'k'), file('content')]),
      401,
      'token not specified',
    );
    await expectRefusal(
      await postParts(url, [field('token', ''), field('key', 'k'), file('content')]),
      401,
      'token not specified',
    );
    await expectNothing(bucket, 'k');
  });

  test('a token with a wrong signature answers 401 and stores nothing [upload-06]', async () => {
    const bucket = await newBucket();
    const forged = uploadToken({ ...target.account, secretKey: 'not the secret' }, { scope: bucket });
    for (const parts of [
      [field('token', forged), field('key', 'k'), file('content')],
      [file('content'), field('key', 'k'), field('token', forged)],
    ]) {
      await expectRefusal(await postParts(url, parts), 401, 'bad token');
    }
    await expectNothing(bucket, 'k');
  });

  test('a token whose policy was changed after signing answers 401 and stores nothing [upload-07]', async () => {
    const bucket = await newBucket();
    const [accessKey, signature, policy = ''] = tokenFor(`${bucket}:mine`).split(':');
    const wider = Buffer.from(policy, 'base64url').toString().replace(`${bucket}:mine`, bucket);
    const changed = `${accessKey}:${signature}:${Buffer.from(wider).toString('base64url')}`;
    const answer = await postParts(url, [field('token', changed), field('key', 'k'), file('content')]);
    await expectRefusal(answer, 401, 'bad token');
    await expectNothing(bucket, 'k');
  });

  test('a token with an unknown access key answers 401 [form-12]', async () => {
    const bucket = await newBucket();
    const token = uploadToken({ ...target.account, accessKey: 'x'.repeat(40) }, { scope: bucket });
    const answer = await postParts(url, [field('token', token), field('key', 'k'), file('content')]);
    await expectRefusal(answer, 401, 'bad token');
    await expectNothing(bucket, 'k');
  });

  test('a token of other than three parts answers 401 [upload-06]', async () => {
    const bucket = await newBucket();
    for (const token of [`${tokenFor(bucket)}:more`, 'a:b', 'nonsense', ':::', ` ${tokenFor(bucket)}`]) {
      const answer = await postParts(url, [field('token', token), field('key', 'k'), file('content')]);
      await expectRefusal(answer, 401, 'bad token');
    }
    await expectNothing(bucket, 'k');
  });
});
