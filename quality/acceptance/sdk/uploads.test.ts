/** Uploads and downloads by our own client: forms, parts, streams, broken lines, resuming, cancelling, integrity. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createUploader,
  fileJournal,
  MillpondError,
  memoryJournal,
  nodeTransport,
  type Transport,
  type UploadProgress,
} from '@millpond/client';
import { etagOf } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomContent } from '../support/objects/objects.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const MIB = 1024 * 1024;
const client = sdkClient();
const quick = { firstPause: 1, longestPause: 5 };
let folder: string;
let bucket: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millpond-sdk-'));
  bucket = await newBucket();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function downloaded(key: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await client.download(bucket, key)).content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A transport whose requests can be watched, and made to fail. */
function watched(before: (request: { method: string; url: string }, count: number) => void | Promise<void>): {
  transport: Transport;
  requests: string[];
} {
  const inner = nodeTransport();
  const requests: string[] = [];
  return {
    requests,
    transport: async (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      await before(request, requests.length);
      return inner(request);
    },
  };
}

const parts = (requests: readonly string[]) =>
  requests.filter((request) => request.startsWith('PUT ')).length;

describe('an upload', () => {
  test.each([
    ['nothing', 0, 'form'],
    ['a few bytes', 20_000, 'form'],
    ['exactly one block', 4 * MIB, 'form'],
    ['more than a block', 4 * MIB + 1, 'multipart'],
    ['several blocks', 9 * MIB, 'multipart'],
  ] as const)('of %s goes the way that suits it', async (name, size, way) => {
    const content = randomContent(size);
    const told: UploadProgress[] = [];
    const result = await client.upload(bucket, name, content, {
      onProgress: (progress) => told.push(progress),
    });
    expect(result).toMatchObject({ way, hash: etagOf(hashing, content), key: name, size, sent: size });
    expect((await downloaded(name)).equals(content)).toBe(true);
    expect(told[0]).toEqual({ done: 0, total: size, sent: 0 });
    expect(told.at(-1)).toEqual({ done: size, total: size, sent: size });
    expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).toSorted((a, b) => a - b));
  });

  test('carries its name, type, variables and metadata, in either way', async () => {
    for (const size of [10, 4 * MIB + 10]) {
      const policy = {
        returnBody: '{"n":$(fname),"t":$(mimeType),"a":$(x:album),"hash":$(etag),"key":$(key)}',
      };
      const { answer } = await client.upload(bucket, `described ${size}`, randomContent(size), {
        policy,
        fileName: 'ü "1".bin',
        mimeType: 'application/x-own',
        variables: { album: '7 & 8' },
        metadata: { colour: 'blue' },
      });
      expect(answer).toMatchObject({ t: 'application/x-own', a: '7 & 8' });
      expect(await client.objects.stat(bucket, `described ${size}`)).toMatchObject({
        metadata: { colour: 'blue' },
      });
    }
  });

  test('with a token of the server’s own needs no key, and may leave the naming to the server', async () => {
    const uploader = createUploader({ url: target.url });
    const content = randomContent(5 * MIB);
    const { key, hash } = await uploader.upload(content, { token: client.uploadToken({ scope: bucket }) });
    expect(key).toBe(hash);
  });

  test('of a stream of unknown length', async () => {
    for (const size of [0, 100, 4 * MIB, 9 * MIB + 5]) {
      const content = randomContent(size);
      async function* pieces() {
        for (let at = 0; at < size; at += 700_001) yield content.subarray(at, at + 700_001);
      }
      const { hash, size: stored } = await client.uploadStream(bucket, `stream ${size}`, pieces());
      expect([hash, stored]).toEqual([etagOf(hashing, content), size]);
      expect((await downloaded(`stream ${size}`)).equals(content)).toBe(true);
    }
  });

  test('is refused as the policy says, and not tried again', async () => {
    const { transport, requests } = watched(() => undefined);
    const own = sdkClient({ transport, url: target.url });
    await own.upload(bucket, 'once', 'one', { insertOnly: true });
    await expect(own.upload(bucket, 'once', 'two', { insertOnly: true })).rejects.toMatchObject({
      status: 614,
      code: 'fileExists',
    });
    expect(requests).toHaveLength(2);
  });
});

describe('a broken line', () => {
  test('is mended by trying again, a part at a time', async () => {
    const { transport, requests } = watched((_request, count) => {
      if (count % 3 === 0) throw new MillpondError('network', 'the line is cut');
    });
    const own = sdkClient({ transport, url: target.url, retry: quick });
    const content = randomContent(9 * MIB);
    await own.upload(bucket, 'mended', content);
    expect((await downloaded('mended')).equals(content)).toBe(true);
    expect(parts(requests)).toBeLessThan(6);
  });

  test('ends the upload after so many tries, with the one error', async () => {
    const { transport } = watched(() => {
      throw new MillpondError('network', 'the line is cut');
    });
    const own = sdkClient({ transport, url: target.url, retry: { ...quick, tries: 3 } });
    await expect(own.upload(bucket, 'cut', 'x')).rejects.toMatchObject({ code: 'network', status: 0 });
  });

  test('that loses the answer of the completion finds the object all the same', async () => {
    let completed = 0;
    const inner = nodeTransport();
    const transport: Transport = async (request) => {
      const answer = await inner(request);
      if (request.method === 'POST' && /uploads\/[0-9a-f-]{36}$/.test(request.url) && ++completed === 1) {
        answer.discard();
        throw new MillpondError('network', 'the answer was lost');
      }
      return answer;
    };
    const own = sdkClient({ transport, url: target.url, retry: quick });
    const content = randomContent(5 * MIB);
    expect((await own.upload(bucket, 'lost answer', content)).hash).toBe(etagOf(hashing, content));
    expect(completed).toBe(2);
  });
});

/** A line that loses the answer of the first completion, after the server gave it. */
function losing(onLost: () => void = () => undefined): { transport: Transport; requests: string[] } {
  const inner = nodeTransport();
  const requests: string[] = [];
  let completed = 0;
  const transport: Transport = async (request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    const answer = await inner(request);
    if (request.method !== 'POST' || !/uploads\/[0-9a-f-]{36}$/.test(request.url) || ++completed > 1)
      return answer;
    answer.discard();
    onLost();
    throw new MillpondError('network', 'the answer was lost');
  };
  return { transport, requests };
}

describe('a lost answer of a completion', () => {
  const token = () =>
    client.uploadToken({
      scope: bucket,
      insertOnly: 1,
      returnBody: '{"id":$(uuid),"key":$(key),"hash":$(etag)}',
    });

  test('is asked for again, and nothing is sent twice', async () => {
    const { transport, requests } = losing();
    const uploader = createUploader({ url: target.url, transport });
    const content = randomContent(9 * MIB);
    const result = await uploader.upload(content, { token: token(), key: 'asked again', retry: quick });
    expect(result.answer).toEqual({
      id: expect.any(String),
      key: 'asked again',
      hash: etagOf(hashing, content),
    });
    expect(parts(requests)).toBe(3);
  });

  test('is asked for by whoever takes the upload up again', async () => {
    const journal = memoryJournal();
    const content = randomContent(9 * MIB);
    const source = () => ({
      size: content.length,
      identity: 'taken up',
      read: async (start: number, end: number) => content.subarray(start, end),
    });
    const stop = new AbortController();
    const { transport } = losing(() => stop.abort());
    const first = createUploader({ url: target.url, transport, journal });
    const options = { token, key: 'taken up' };
    await expect(first.upload(source(), { ...options, signal: stop.signal })).rejects.toThrow();

    const second = watched(() => undefined);
    const told: UploadProgress[] = [];
    const result = await createUploader({ url: target.url, journal, ...second }).upload(source(), {
      ...options,
      onProgress: (progress) => told.push(progress),
    });
    expect(result).toMatchObject({ hash: etagOf(hashing, content), key: 'taken up', sent: 0, size: 9 * MIB });
    expect(result.answer).toMatchObject({ id: expect.any(String) });
    expect(parts(second.requests)).toBe(0);
    expect(told.at(-1)).toEqual({ done: 9 * MIB, total: 9 * MIB, sent: 0 });
    expect((await downloaded('taken up')).equals(content)).toBe(true);
  });
});

describe('an upload that was stopped', () => {
  test.each([['a file'], ['memory']])('goes on where it was, by a journal in %s', async (place) => {
    const journal = place === 'a file' ? fileJournal(path.join(folder, 'journal')) : memoryJournal();
    const content = randomContent(13 * MIB);
    const file = path.join(folder, `stopped ${place}`);
    await writeFile(file, content);
    const stop = new AbortController();
    const first = sdkClient({ url: target.url, journal });
    const stopped = first.uploadFile(bucket, `stopped ${place}`, file, {
      signal: stop.signal,
      concurrency: 1,
      onProgress: ({ done }) => done >= 8 * MIB && stop.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });

    const { transport, requests } = watched(() => undefined);
    const second = sdkClient({ url: target.url, journal, transport });
    const result = await second.uploadFile(bucket, `stopped ${place}`, file);
    expect(result).toMatchObject({ size: 13 * MIB, sent: 5 * MIB, hash: etagOf(hashing, content) });
    expect(parts(requests)).toBe(2);
    expect((await downloaded(`stopped ${place}`)).equals(content)).toBe(true);
  });

  test('sends a part anew whose bytes were changed meanwhile', async () => {
    const journal = memoryJournal();
    const content = randomContent(9 * MIB);
    const source = () => ({
      size: content.length,
      identity: 'the same name',
      read: async (start: number, end: number) => content.subarray(start, end),
    });
    const stop = new AbortController();
    const own = sdkClient({ url: target.url, journal });
    const onProgress = ({ done }: UploadProgress) => done >= 4 * MIB && stop.abort();
    const options = { signal: stop.signal, concurrency: 1, onProgress };
    await expect(own.upload(bucket, 'changed', source(), options)).rejects.toMatchObject({
      code: 'cancelled',
    });
    content[5] = (content[5] ?? 0) ^ 1;
    const result = await own.upload(bucket, 'changed', source());
    expect(result).toMatchObject({ sent: 9 * MIB, hash: etagOf(hashing, content) });
  });

  test('can be given up by the name that it was told', async () => {
    const content = randomContent(9 * MIB);
    const file = path.join(folder, 'given up');
    await writeFile(file, content);
    const own = sdkClient({ url: target.url, journal: memoryJournal() });
    const stop = new AbortController();
    const named: string[] = [];
    const options = {
      concurrency: 1,
      onBegin: (uploadId: string) => void named.push(uploadId),
      onProgress: ({ done }: UploadProgress) => done >= 4 * MIB && stop.abort(),
    };
    await expect(
      own.uploadFile(bucket, 'given up', file, { ...options, signal: stop.signal }),
    ).rejects.toMatchObject({ code: 'cancelled' });
    const [uploadId = ''] = named;
    await own.giveUp(bucket, 'given up', uploadId);
    // Twice does no harm, and nothing of it is there to go on with.
    await own.giveUp(bucket, 'given up', uploadId);
    const result = await own.uploadFile(bucket, 'given up', file, options);
    expect(result.sent).toBe(9 * MIB);
    expect(named).toEqual([uploadId, expect.not.stringMatching(uploadId)]);
  });

  test('begins anew where the server has forgotten it', async () => {
    const journal = memoryJournal();
    const content = randomContent(5 * MIB);
    const file = path.join(folder, 'forgotten');
    await writeFile(file, content);
    const stop = new AbortController();
    const own = sdkClient({ url: target.url, journal });
    let uploadId = '';
    const remembering = {
      ...journal,
      set: async (id: string, upload: { uploadId: string; expireAt: number; partSize: number }) => {
        uploadId = upload.uploadId;
        await journal.set(id, upload);
        stop.abort();
      },
    };
    const options = { signal: stop.signal, journal: remembering };
    await expect(own.uploadFile(bucket, 'forgotten', file, options)).rejects.toMatchObject({
      code: 'cancelled',
    });
    const token = client.uploadToken({ scope: `${bucket}:forgotten` });
    await createUploader({ url: target.url }).giveUp(uploadId, { token, key: 'forgotten' });
    expect(await own.uploadFile(bucket, 'forgotten', file)).toMatchObject({ sent: 5 * MIB });
  });
});

describe('integrity', () => {
  test('bytes that change on their way are noticed, and sent again', async () => {
    const inner = nodeTransport();
    let spoilt = 0;
    const transport: Transport = (request) => {
      if (request.method !== 'PUT' || typeof request.body === 'string' || spoilt++ > 0) return inner(request);
      const body = request.body?.map((piece) => piece.map((byte, index) => (index === 9 ? byte ^ 1 : byte)));
      return inner({ ...request, ...(body === undefined ? {} : { body }) });
    };
    const own = sdkClient({ transport, url: target.url, retry: quick });
    const content = randomContent(5 * MIB);
    expect((await own.upload(bucket, 'spoilt', content)).hash).toBe(etagOf(hashing, content));
    expect((await downloaded('spoilt')).equals(content)).toBe(true);
  });

  test('a form whose content changes on its way is refused by the server', async () => {
    const inner = nodeTransport();
    const transport: Transport = (request) => {
      if (typeof request.body === 'string' || request.body === undefined) return inner(request);
      const [head = new Uint8Array(), file = new Uint8Array(), ...rest] = request.body;
      return inner({ ...request, body: [head, file.map((byte) => byte ^ 1), ...rest] });
    };
    const own = sdkClient({ transport, url: target.url, retry: quick });
    await expect(own.upload(bucket, 'spoilt form', 'content')).rejects.toMatchObject({
      status: 406,
      code: 'crc32Mismatch',
    });
  });
});

describe('a download', () => {
  test('goes on where the line broke, and is the same bytes', async () => {
    const content = randomContent(3 * MIB);
    await client.upload(bucket, 'long', content);
    const inner = nodeTransport();
    let asked = 0;
    const transport: Transport = async (request) => {
      const answer = await inner(request);
      if (request.method !== 'GET' || ++asked > 3) return answer;
      async function* short() {
        for await (const chunk of answer.chunks()) {
          yield chunk;
          throw new MillpondError('network', 'the line is cut');
        }
      }
      return { ...answer, chunks: short };
    };
    const pieces: Uint8Array[] = [];
    const { content: got, size } = await sdkClient({ transport, url: target.url }).download(bucket, 'long');
    for await (const piece of got) pieces.push(piece);
    expect([asked, size]).toEqual([4, content.length]);
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
  });

  test('of a range, and of what changed meanwhile', async () => {
    await client.upload(bucket, 'ranged', '0123456789');
    const { content, hash } = await client.download(bucket, 'ranged', { start: 2, end: 5 });
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('234');
    await client.upload(bucket, 'ranged', 'other');
    await expect(client.download(bucket, 'ranged', { hash })).rejects.toMatchObject({ status: 412 });
  });

  test('of a private bucket is signed', async () => {
    const hidden = await newBucket();
    await client.buckets.setPrivate(hidden, true);
    await client.upload(hidden, 'ü/ x?', 'secret');
    const answer = await fetch(client.downloadUrl(hidden, 'ü/ x?'));
    expect([answer.status, await answer.text()]).toEqual([200, 'secret']);
  });
});
