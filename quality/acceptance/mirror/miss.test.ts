/** Missing files of a mirrored bucket: fetched when they are asked for, once, and never over what is there. */
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { etagOf, formatEntry } from '@millpond/protocol';
import { hashing, signedFetch } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectContent, expectRefusal, recordOf } from '../support/expectations.ts';
import { file, image, mirroredBucket, prefetch, unimage } from '../support/objects/fetching.ts';
import { randomContent } from '../support/objects/objects.ts';
import { useRegion } from '../support/receivers/callbacks.ts';
import { cut, hang, redirect, reply, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { s3Sdk } from '../support/s3/sdk.ts';
import { download, newBucket, stat, target, upload } from '../support/target.ts';

const origin = useReceiver();
const region = useRegion();
let sources = 0;

interface Source {
  readonly url: string;
  /** Requests for this file so far. */
  asked(path: string): number;
}

function sourceOf(files: Readonly<Record<string, Script>>): Source {
  sources += 1;
  const folder = `/source-${sources}`;
  const endpoints = Object.entries(files).map(
    ([path, script]) => [path, origin.at(script, `${folder}/${path}`)] as const,
  );
  const byPath = new Map(endpoints);
  return { url: origin.url + folder, asked: (path) => byPath.get(path)?.requests.length ?? 0 };
}

/** A script that waits until it is told to go on. */
function held(script: Script): { script: Script; readonly asked: Promise<void>; go(): void } {
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    asked: asked.promise,
    go: () => go.resolve(),
    async script(response, received) {
      asked.resolve();
      await go.promise;
      await script(response, received);
    },
  };
}

test('a missing file is fetched, stored and served, once [miss-01]', async () => {
  const content = randomContent(300_000);
  const source = sourceOf({ 'a/b.bin': file(content, { 'content-type': 'image/x-own' }) });
  const bucket = await mirroredBucket(source.url);
  const answer = await download(bucket, 'a/b.bin');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/x-own']);
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  expect(await recordOf(bucket, 'a/b.bin')).toMatchObject({ fsize: 300_000, hash: etagOf(hashing, content) });
  await expectContent(bucket, 'a/b.bin', content);
  expect(source.asked('a/b.bin')).toBe(1);
});

test('ranges, conditions and HEAD are those of the object that came [miss-01]', async () => {
  const bucket = await mirroredBucket(sourceOf({ range: file('0123456789'), head: file('hello') }).url);
  const part = await download(bucket, 'range', { headers: { range: 'bytes=2-4' } });
  expect([part.status, await part.text()]).toEqual([206, '234']);
  const head = await download(bucket, 'head', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '5']);
});

test('what reads by S3 fetches a missing file as well [miss-07]', async () => {
  const content = randomContent(300_000);
  const names = ['got', 'looked-at', 'described', 'tags', 'copied', 'part'];
  const files = Object.fromEntries(names.map((name) => [name, file(content)]));
  const source = sourceOf({ ...files, broken: reply(500), range: file('0123456789') });
  const bucket = await mirroredBucket(source.url);
  const s3 = s3Sdk();
  const at = (Key: string) => ({ Bucket: bucket, Key });
  const got = await s3.send(new GetObjectCommand(at('got')));
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(content)).toBe(true);
  const part = await s3.send(new GetObjectCommand({ ...at('range'), Range: 'bytes=2-4' }));
  expect(await part.Body?.transformToString()).toBe('234');
  expect(await s3.send(new HeadObjectCommand(at('looked-at')))).toMatchObject({ ContentLength: 300_000 });
  const asked = { ...at('described'), ObjectAttributes: ['ObjectSize' as const] };
  expect(await s3.send(new GetObjectAttributesCommand(asked))).toMatchObject({ ObjectSize: 300_000 });
  expect(await s3.send(new GetObjectTaggingCommand(at('tags')))).toMatchObject({ TagSet: [] });
  await s3.send(new CopyObjectCommand({ ...at('copy'), CopySource: `${bucket}/copied` }));
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(at('joined')));
  const copied = { ...at('joined'), UploadId, PartNumber: 1, CopySource: `${bucket}/part` };
  await s3.send(new UploadPartCopyCommand(copied));
  for (const name of names) {
    await expectContent(bucket, name, content);
    expect([name, source.asked(name)]).toEqual([name, 1]);
  }
  await expect(s3.send(new GetObjectCommand(at('broken')))).rejects.toMatchObject({
    name: 'ServiceUnavailable',
  });
  await expect(s3.send(new GetObjectCommand(at('absent')))).rejects.toMatchObject({ name: 'NoSuchKey' });
  // What does not read fetches nothing.
  const tagging = { ...at('other'), Tagging: { TagSet: [] } };
  await expect(s3.send(new PutObjectTaggingCommand(tagging))).rejects.toMatchObject({ name: 'NoSuchKey' });
});

test('a bucket without sources asks nobody, nor does one that had some [bucket-08]', async () => {
  const source = sourceOf({ k: file('x') });
  const bucket = await mirroredBucket(source.url);
  expect((await unimage(bucket)).status).toBe(200);
  await expectRefusal(await download(bucket, 'k'), 404, 'not found');
  expect(source.asked('k')).toBe(0);
});

test('a private bucket gives and fetches nothing without a token', async () => {
  const source = sourceOf({ k: file('x') });
  const bucket = await mirroredBucket(source.url);
  const form = { body: `bucket=${bucket}&private=1` };
  expect((await signedFetch(target.url, target.account, '/private', form)).status).toBe(200);
  expect((await download(bucket, 'k')).status).toBe(401);
  expect(source.asked('k')).toBe(0);
});

test('an upload that lands meanwhile is not overwritten, and is what is served [miss-02]', async () => {
  const slow = held(file('from the origin'));
  const bucket = await mirroredBucket(sourceOf({ k: slow.script }).url);
  const reading = download(bucket, 'k');
  await slow.asked;
  expect((await upload({ scope: bucket }, 'uploaded', { key: 'k' })).status).toBe(200);
  slow.go();
  const answer = await reading;
  expect([answer.status, await answer.text()]).toEqual([200, 'uploaded']);
  await expectContent(bucket, 'k', 'uploaded');
});

test('20 at once ask the origin once [miss-03]', async () => {
  const slow = held(file('one for all'));
  const source = sourceOf({ k: slow.script });
  const bucket = await mirroredBucket(source.url);
  const readers = Array.from({ length: 20 }, () => download(bucket, 'k'));
  await slow.asked;
  slow.go();
  for (const answer of await Promise.all(readers))
    expect([answer.status, await answer.text()]).toEqual([200, 'one for all']);
  expect(source.asked('k')).toBe(1);
});

describe('what the origin does not have', () => {
  test('is not asked for again for a while [miss-04]', async () => {
    const source = sourceOf({ k: reply(404) });
    const bucket = await mirroredBucket(source.url);
    for (let i = 0; i < 5; i++) await expectRefusal(await download(bucket, 'k'), 404, 'not found');
    expect(source.asked('k')).toBe(1);
    // Another source may have it, and so may a prefetch or an upload bring it.
    const other = sourceOf({ k: file('here') });
    expect((await image(bucket, other.url)).status).toBe(200);
    await expectContent(bucket, 'k', 'here');
  });

  test('is served as soon as it is uploaded or prefetched [miss-04]', async () => {
    let there = false;
    const script: Script = (response, received) =>
      there ? file('now')(response, received) : reply(404)(response, received);
    const bucket = await mirroredBucket(sourceOf({ k: script, u: reply(404) }).url);
    for (const key of ['k', 'u']) expect((await download(bucket, key)).status).toBe(404);
    there = true;
    expect((await prefetch(bucket, 'k')).status).toBe(200);
    expect((await upload({ scope: bucket }, 'up', { key: 'u' })).status).toBe(200);
    await expectContent(bucket, 'k', 'now');
    await expectContent(bucket, 'u', 'up');
  });

  test.each([
    ['fails', reply(500)],
    ['redirects', redirect('/elsewhere')],
    ['breaks off', cut],
  ])('is told from an origin that %s: 478, nothing stored, and asked again', async (_what, script) => {
    const source = sourceOf({ k: script });
    const bucket = await mirroredBucket(source.url);
    const asked = async () => {
      await expectRefusal(await download(bucket, 'k'), 478, 'origin failed');
      return source.asked('k');
    };
    expect(await asked()).toBe(1);
    // It is left alone for as long as the failure took.
    await expect.poll(asked).toBe(2);
    expect((await stat(bucket, 'k')).status).toBe(612);
  });

  test('includes every key that would lead out of the source', async () => {
    const outside = origin.at(file('secret'), '/outside');
    const bucket = await mirroredBucket(sourceOf({}).url);
    for (const key of ['..%2Foutside', 'a/..%2f..%2foutside', '%2e%2e/outside', '..%5coutside']) {
      const answer = await fetch(`${target.url}/${bucket}/${key.replaceAll('..', '%2e%2e')}`);
      expect([answer.status, key]).toEqual([404, key]);
    }
    expect(outside.requests).toEqual([]);
  });
});

test('a deleted key is not fetched again for 60 s, by any gateway [miss-05]', async () => {
  const source = sourceOf({ k: file('mirrored') });
  const bucket = await mirroredBucket(source.url);
  await expectContent(bucket, 'k', 'mirrored');
  const path = `/delete/${formatEntry(bucket, 'k')}`;
  expect((await signedFetch(target.url, target.account, path)).status).toBe(200);
  const gateway = await startExtraGateway();
  for (const url of [target.url, gateway.url, target.url])
    expect((await fetch(`${url}/${bucket}/k`)).status).toBe(404);
  expect(source.asked('k')).toBe(1);
  await region.database.ageTrash(20);
  expect((await download(bucket, 'k')).status).toBe(404);
  await region.database.ageTrash(45);
  await expectContent(bucket, 'k', 'mirrored');
  expect(source.asked('k')).toBe(2);
});

test('no more files of a bucket are fetched at once than its cap allows; the others wait [miss-06]', async () => {
  const server = await startExtraGateway({ MILLPOND_MIRROR_FILLS: '3' });
  let [open, most] = [0, 0];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const script: Script = async (response, received) => {
    open += 1;
    most = Math.max(most, open);
    await released;
    open -= 1;
    file('x')(response, received);
  };
  const keys = Array.from({ length: 12 }, (_, n) => `k${n}`);
  const bucket = await mirroredBucket(sourceOf(Object.fromEntries(keys.map((key) => [key, script]))).url);
  const quick = await mirroredBucket(sourceOf({ k: file('quick') }).url);
  const reading = keys.map((key) => fetch(`${server.url}/${bucket}/${key}`));
  await expect.poll(() => open).toBe(3);
  // Another bucket does not wait for them.
  expect((await fetch(`${server.url}/${quick}/k`)).status).toBe(200);
  release();
  for (const answer of await Promise.all(reading)) expect(answer.status).toBe(200);
  expect(most).toBe(3);
});

test('a file that does not come in time is 478, and its readers are not left hanging', async () => {
  const server = await startExtraGateway({ MILLPOND_FETCH_TIMEOUT: '2s' });
  const bucket = await mirroredBucket(sourceOf({ k: hang }).url);
  const answer = await fetch(`${server.url}/${bucket}/k`);
  await expectRefusal(answer, 478, 'origin failed');
});

describe('mirror sources', () => {
  test('that could never be asked are refused', async () => {
    const bucket = await newBucket();
    const many = Array.from({ length: 11 }, (_, n) => `http://a${n}.example.test`).join(';');
    for (const sources of [
      '',
      'ftp://example.test',
      'example.test',
      'http://',
      'http://user:pw@example.test',
      'http://example.test?a=b',
      'http://example.test/#a',
      'http://example.test;nonsense;http://b c',
      many,
    ])
      await expectRefusal(await image(bucket, sources), 400, 'invalid argument');
    await expectRefusal(await image(bucket, 'http://example.test', { host: 'a/b' }), 400, 'invalid argument');
    expect((await image(bucket, 'http://example.test;https://b.example.test/x/')).status).toBe(200);
  });

  test.each([
    '/image/b',
    '/image/b/to/aHR0cDovL2E=',
    '/image/b/from/aHR0cDovL2E=/x/y',
    '/image/b/from/!',
    '/unimage/b/c',
  ])('%s is no path of theirs', async (path) => {
    await expectRefusal(await signedFetch(target.url, target.account, path), 400, 'invalid argument');
  });

  test("of a missing bucket, or somebody else's, are 631", async () => {
    const bucket = await newBucket();
    for (const name of [bucket, 'no-such-bucket']) {
      const answer = await image(name, 'http://example.test', { keys: target.stranger });
      await expectRefusal(answer, 631, 'no such bucket');
    }
  });
});
