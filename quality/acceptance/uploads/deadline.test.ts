import { setTimeout as sleep } from 'node:timers/promises';
import { uploadToken } from '@millpond/testing';
import { expect, test } from 'vitest';
import { expectContent, expectNothing, expectRefusal, expectStored } from '../support/expectations.ts';
import { beforeDeadline, untilPast } from '../support/objects/expiring.ts';
import { CLOSING, field, file, head, openBody, openUpload, postParts } from '../support/raw-form.ts';
import { newBucket, target, upload } from '../support/target.ts';

const now = () => Math.floor(Date.now() / 1000);

test('an upload before the deadline is accepted, one after it answers 401 and stores nothing [policy-deadline-01 policy-deadline-02 policy-rule-09]', async () => {
  const bucket = await newBucket();
  const inTime = await upload({ scope: bucket, deadline: now() + 3600 }, 'content', { key: 'in time' });
  await expectStored(inTime, bucket, 'in time', 'content');
  for (const deadline of [now() - 1, now() - 86_400, 0]) {
    await expectRefusal(
      await upload({ scope: bucket, deadline }, 'content', { key: 'late' }),
      401,
      'expired token',
    );
  }
  await expectNothing(bucket, 'late');
});

test('a token that was good is refused once its deadline has passed, also after the file [policy-deadline-02]', async () => {
  const bucket = await newBucket();
  const { result: send, deadline } = await beforeDeadline(async (end) => {
    const token = uploadToken(target.account, { scope: bucket, deadline: end });
    const sendOne = (key: string) =>
      postParts(target.url, [file('content'), field('key', key), field('token', token)]);
    expect((await sendOne('first')).status).toBe(200);
    return sendOne;
  });
  await untilPast(deadline);
  await expectRefusal(await send('second'), 401, 'expired token');
  await expectNothing(bucket, 'second');
});

test('a deadline that passes while the bytes arrive answers 401 and stores nothing [policy-rule-10 G8]', async () => {
  const bucket = await newBucket();
  await upload({ scope: bucket }, 'the first content', { key: 'old' });
  const slowUpload = async (key: string, deadline: number) => {
    const token = uploadToken(target.account, { scope: `${bucket}:${key}`, deadline });
    const sending = await openUpload(target.url);
    await sending.send(openBody([field('token', token), field('key', key)]));
    await sending.send(Buffer.concat([head({ name: 'file', fileName: 'f' }), Buffer.from('some bytes')]));
    let answered = false;
    sending.answer.then(
      () => {
        answered = true;
      },
      () => undefined,
    );
    await untilPast(deadline);
    expect(answered).toBe(false);
    await sending.send(Buffer.concat([Buffer.from(' and more\r\n'), CLOSING]));
    return sending.finish();
  };
  // A server that comes to the token only when it is over refuses it before the rest is sent.
  const { result: answers } = await beforeDeadline((deadline) =>
    Promise.all([slowUpload('new', deadline), slowUpload('old', deadline)]),
  );
  for (const answer of answers) await expectRefusal(answer, 401, 'expired token');
  await expectNothing(bucket, 'new');
  await expectContent(bucket, 'old', 'the first content');
});

test('the end of a slow upload is judged, not its length: within the deadline it is stored [G8]', async () => {
  const bucket = await newBucket();
  const token = uploadToken(target.account, { scope: bucket, deadline: now() + 3600 });
  const sending = await openUpload(target.url);
  await sending.send(openBody([field('token', token), field('key', 'slow')]));
  await sending.send(Buffer.concat([head({ name: 'file', fileName: 'f' }), Buffer.from('some bytes')]));
  // As long as this client takes for the rest.
  await sleep(2000);
  await sending.send(Buffer.concat([Buffer.from(' and more\r\n'), CLOSING]));
  await expectStored(await sending.finish(), bucket, 'slow', 'some bytes and more');
});
