/** Notifications set by S3: the event rules of a bucket, with a webhook as their target. */
import { expect, test } from 'vitest';
import { bucketDo, bucketJson } from '../support/objects/buckets.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { elementsIn, expectS3Refusal, newS3Bucket, type S3Call, s3 } from '../support/s3/signed.ts';

const receiver = useReceiver();
/** Only a hang reaches it. */
const SOON = { timeout: 300_000, interval: 50 };

const set = (bucket: string, topics: string) =>
  s3(`/${bucket}?notification`, {
    method: 'PUT',
    body: `<NotificationConfiguration>${topics}</NotificationConfiguration>`,
  });
const topic = (id: string, url: string, events: readonly string[], more = '') =>
  `<TopicConfiguration><Id>${id}</Id><Topic>${url}</Topic>${events.map((name) => `<Event>s3:${name}</Event>`).join('')}${more}</TopicConfiguration>`;
const FILTER =
  '<Filter><S3Key><FilterRule><Name>prefix</Name><Value>a/</Value></FilterRule><FilterRule><Name>suffix</Name><Value>.txt</Value></FilterRule></S3Key></Filter>';

test('a webhook is told of objects that come and go by S3, as its configuration selects', async () => {
  const [bucket, endpoint] = [await newS3Bucket(), receiver.at(json({}))];
  const written = topic('hook', endpoint.url, ['ObjectCreated:Put', 'ObjectRemoved:*'], FILTER);
  expect((await set(bucket, written)).status).toBe(200);
  expect((await s3(`/${bucket}?notification`)).text).toContain(written);
  for (const key of ['a/k.txt', 'a/other.jpg', 'b/k.txt'])
    expect((await s3(`/${bucket}/${key}`, { method: 'PUT', body: 'x' })).status).toBe(200);
  const copy = { 'x-amz-copy-source': `/${bucket}/a/k.txt` };
  expect((await s3(`/${bucket}/a/copy.txt`, { method: 'PUT', headers: copy })).status).toBe(200);
  expect((await s3(`/${bucket}/a/k.txt`, { method: 'DELETE' })).status).toBe(204);
  const told = () =>
    endpoint.requests.map(({ text }) => {
      const { type, subject } = JSON.parse(text) as { type: string; subject: string };
      return `${type} ${subject}`;
    });
  await expect
    .poll(told, SOON)
    .toEqual(['millpond.object.created a/k.txt', 'millpond.object.deleted a/k.txt']);
});

test('every way of S3 to make an object has its name [bucket-17]', async () => {
  const [bucket, endpoint] = [await newS3Bucket(), receiver.at(json({}))];
  const rule = { name: 'all', url: endpoint.url, events: ['created', 'overwritten', 'deleted'] };
  await bucketDo(`/eventRules/set/${bucket}`, { body: JSON.stringify([rule]) });
  const put = (key: string, call: S3Call = {}) => s3(`/${bucket}/${key}`, { method: 'PUT', ...call });
  await put('put', { body: 'one' });
  await put('put', { body: 'two' });
  await put('copy', { headers: { 'x-amz-copy-source': `/${bucket}/put` } });
  const [upload = ''] = elementsIn(await s3(`/${bucket}/parts?uploads`, { method: 'POST' }), 'UploadId');
  const etag = (await put(`parts?partNumber=1&uploadId=${upload}`, { body: 'part' })).headers.get('etag');
  const part = `<Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part>`;
  await s3(`/${bucket}/parts?uploadId=${upload}`, {
    method: 'POST',
    body: `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`,
  });
  await s3(`/${bucket}?delete`, {
    method: 'POST',
    body: '<Delete><Object><Key>copy</Key></Object><Object><Key>missing</Key></Object></Delete>',
  });
  const told = () =>
    endpoint.requests.map(({ text }) => {
      const { type, data } = JSON.parse(text) as { type: string; data: { way: string; key: string } };
      return `${type.replace('millpond.object.', '')}.${data.way} ${data.key}`;
    });
  await expect
    .poll(() => told().toSorted(), SOON)
    .toEqual([
      'created.s3-copy copy',
      'created.s3-parts parts',
      'created.s3-put put',
      'deleted.delete copy',
      'overwritten.s3-put put',
    ]);
});

test('replaces what S3 can say, and leaves rules alone that only our own calls can say', async () => {
  const bucket = await newS3Bucket();
  const url = 'https://example.com/events';
  const large = { name: 'large', url, events: ['created'], minSize: 1000 };
  const gone = { name: 'gone', url, events: ['deleted'] };
  await bucketDo(`/eventRules/set/${bucket}`, { body: JSON.stringify([large, gone]) });
  expect(elementsIn(await s3(`/${bucket}?notification`), 'Id')).toEqual(['gone']);
  expect((await set(bucket, topic('new', url, ['ObjectCreated:*']))).status).toBe(200);
  const rules = () => bucketJson(`/eventRules/get/${bucket}`, { method: 'GET' });
  expect(await rules()).toEqual([large, { name: 'new', url, events: ['created', 'overwritten'] }]);
  expect((await set(bucket, '')).status).toBe(200);
  expect(await rules()).toEqual([large]);
});

test('targets and events that are not here are refused, and change nothing', async () => {
  const bucket = await newS3Bucket();
  await set(bucket, topic('kept', 'https://example.com/', ['ObjectCreated:*']));
  const arn = 'arn:aws:sns:us-east-1:1:topic';
  expectS3Refusal(await set(bucket, topic('a', arn, ['ObjectCreated:*'])), 400, 'InvalidArgument');
  expectS3Refusal(await set(bucket, topic('a', 'https://', ['ObjectCreated:*'])), 400, 'InvalidArgument');
  expectS3Refusal(
    await set(bucket, topic('a', 'https://example.com/', ['Replication:*'])),
    400,
    'InvalidArgument',
  );
  expectS3Refusal(await set(bucket, '<QueueConfiguration/>'), 501, 'NotImplemented');
  expect(elementsIn(await s3(`/${bucket}?notification`), 'Id')).toEqual(['kept']);
});
