import { uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal, expectStored } from '../support/expectations.ts';
import { field, file, head, openBody, openUpload, postParts } from '../support/raw-form.ts';
import { newBucket, target, upload } from '../support/target.ts';

const TOO_LARGE = 'request entity too large';
const TOO_SMALL = 'file size is below the limit of the upload policy';

describe('fsizeLimit', () => {
  test('a file of exactly that size is stored, one byte more answers 413 and stores nothing [policy-size-01]', async () => {
    const bucket = await newBucket();
    const policy = { scope: bucket, fsizeLimit: 10 };
    await expectStored(await upload(policy, '0123456789', { key: 'ten' }), bucket, 'ten', '0123456789');
    await expectRefusal(await upload(policy, '0123456789a', { key: 'eleven' }), 413, TOO_LARGE);
    await expectNothing(bucket, 'eleven');
  });

  test('it binds a file that comes before its token too [policy-size-01]', async () => {
    const bucket = await newBucket();
    const token = uploadToken(target.account, { scope: bucket, fsizeLimit: 10 });
    const send = (key: string, content: string) =>
      postParts(target.url, [file(content), field('key', key), field('token', token)]);
    await expectStored(await send('ten', '0123456789'), bucket, 'ten', '0123456789');
    await expectRefusal(await send('eleven', '0123456789a'), 413, TOO_LARGE);
    await expectNothing(bucket, 'eleven');
  });

  test('the answer comes as soon as the limit is passed, not when the file ends [policy-size-01]', async () => {
    const bucket = await newBucket();
    const token = uploadToken(target.account, { scope: bucket, fsizeLimit: 1000 });
    const sending = await openUpload(target.url);
    await sending.send(openBody([field('token', token), field('key', 'endless')]));
    await sending.send(head({ name: 'file', fileName: 'f' }));
    await sending.send(Buffer.alloc(2000));
    await expectRefusal(await sending.answer, 413, TOO_LARGE);
    sending.leave();
    await expectNothing(bucket, 'endless');
  });

  test('a client that sends all of a large file before it reads gets the answer all the same [policy-size-01]', async () => {
    const bucket = await newBucket();
    const policy = { scope: bucket, fsizeLimit: 1000 };
    for (let round = 0; round < 5; round++) {
      const answer = await upload(policy, Buffer.alloc(6 * 1024 * 1024), { key: 'large' });
      await expectRefusal(answer, 413, TOO_LARGE);
    }
    await expectNothing(bucket, 'large');
  });
});

describe('fsizeMin', () => {
  test('a file of exactly that size is stored, a smaller one answers 403 and stores nothing [policy-size-02]', async () => {
    const bucket = await newBucket();
    const policy = { scope: bucket, fsizeMin: 10 };
    await expectStored(await upload(policy, '0123456789', { key: 'ten' }), bucket, 'ten', '0123456789');
    await expectRefusal(await upload(policy, '012345678', { key: 'nine' }), 403, TOO_SMALL);
    await expectRefusal(await upload(policy, '', { key: 'nine' }), 403, TOO_SMALL);
    await expectNothing(bucket, 'nine');
  });

  test('0 asks for nothing [policy-size-02]', async () => {
    const bucket = await newBucket();
    const answer = await upload({ scope: bucket, fsizeMin: 0 }, '', { key: 'empty' });
    expect(answer.status).toBe(200);
  });
});
