import { randomBytes } from 'node:crypto';
import { uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal, recordOf } from '../support/expectations.ts';
import { type FormResponse, field, file, postParts } from '../support/raw-form.ts';
import { download, newBucket, target } from '../support/target.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1');
const TEXT = 'just some words';
const UNKNOWN = Buffer.from([0x00, 0x9c, 0x01, 0xfe, 0x80, 0x07]);
const FORBIDDEN = 'limited mimeType: this file type is forbidden to upload';

interface UploadedFile {
  readonly content: Uint8Array | string;
  readonly fileName?: string;
  readonly type?: string;
  readonly key?: string;
}

function send(
  bucket: string,
  policy: Record<string, unknown>,
  uploadedFile: UploadedFile,
): Promise<FormResponse> {
  const { content, fileName = 'file', type, key = 'k' } = uploadedFile;
  return postParts(target.url, [
    field('token', uploadToken(target.account, { scope: `${bucket}:${key}`, ...policy })),
    field('key', key),
    file(content, fileName, type),
  ]);
}

/** The type that the object gets, by its record and by a download. */
async function typeOf(
  bucket: string,
  policy: Record<string, unknown>,
  uploadedFile: UploadedFile,
): Promise<string> {
  const answer = await send(bucket, policy, uploadedFile);
  expect(answer.status, await answer.text()).toBe(200);
  const { mimeType } = await recordOf(bucket, uploadedFile.key ?? 'k');
  expect((await download(bucket, uploadedFile.key ?? 'k')).headers.get('content-type')).toBe(mimeType);
  return mimeType;
}

describe('mimeLimit', () => {
  test('image/* refuses a text whatever type or name the client gives it, and takes a PNG [policy-type-01]', async () => {
    const bucket = await newBucket();
    const limit = { mimeLimit: 'image/*' };
    for (const sent of [
      { content: TEXT },
      { content: TEXT, type: 'image/png' },
      { content: TEXT, type: 'image/png', fileName: 'photo.png' },
      { content: TEXT, type: 'image/png', fileName: 'photo.png', key: 'photo.png' },
    ]) {
      for (const detectMime of [0, 1, -1]) {
        await expectRefusal(await send(bucket, { ...limit, detectMime }, sent), 403, FORBIDDEN);
      }
      await expectNothing(bucket, sent.key ?? 'k');
    }
    expect(await typeOf(bucket, limit, { content: PNG })).toBe('image/png');
    expect((await send(bucket, limit, { content: PNG, type: 'text/plain' })).status).toBe(200);
  });

  test('a limit to images, sound or video refuses what is not recognised, whatever its name [policy-type-01]', async () => {
    const bucket = await newBucket();
    // Nothing that a recognised format begins with.
    const noise = Buffer.concat([UNKNOWN, randomBytes(3000)]);
    for (const [limit, name, type] of [
      ['image/*', 'x.png', 'image/png'],
      ['image/png', 'x.png', 'image/png'],
      ['audio/*', 'x.mp3', 'audio/mpeg'],
      ['video/*;audio/*', 'x.mp4', 'video/mp4'],
      ['image/*', 'x.svg', 'image/svg+xml'],
    ] as const) {
      const policy = { mimeLimit: limit, detectMime: 0 };
      const sent = { fileName: name, key: name, type };
      for (const content of [noise, Buffer.alloc(0), TEXT]) {
        await expectRefusal(await send(bucket, policy, { ...sent, content }), 403, FORBIDDEN);
      }
      await expectNothing(bucket, name);
    }
    // A limit to something else still takes it, under the type that it has there.
    const png = { content: noise, fileName: 'x.png', type: 'image/png' };
    const octets = 'application/octet-stream';
    expect(await typeOf(bucket, { mimeLimit: octets }, png)).toBe(octets);
    expect(await typeOf(bucket, { mimeLimit: '!text/*' }, png)).toBe('image/png');
    await expectRefusal(await send(bucket, { mimeLimit: '!image/*' }, png), 403, FORBIDDEN);
  });

  test('bounds the type that is stored and served as well: a PNG that is called a page stays a PNG [policy-type-01]', async () => {
    const bucket = await newBucket();
    for (const sent of [
      { content: PNG, type: 'text/html' },
      { content: PNG, fileName: 'page.html' },
      { content: PNG, key: 'page.html' },
    ])
      expect(await typeOf(bucket, { mimeLimit: 'image/*' }, sent)).toBe('image/png');
    expect(await typeOf(bucket, {}, { content: PNG, type: 'text/html' })).toBe('text/html');
  });

  test('a list with ; takes each of its types, ! refuses them [policy-type-02]', async () => {
    const bucket = await newBucket();
    const allow = { mimeLimit: 'image/png;text/plain' };
    expect((await send(bucket, allow, { content: PNG })).status).toBe(200);
    expect((await send(bucket, allow, { content: TEXT })).status).toBe(200);
    await expectRefusal(await send(bucket, allow, { content: GIF }), 403, FORBIDDEN);
    const deny = { mimeLimit: '!image/png;text/plain' };
    await expectRefusal(await send(bucket, deny, { content: PNG }), 403, FORBIDDEN);
    await expectRefusal(await send(bucket, deny, { content: TEXT }), 403, FORBIDDEN);
    expect((await send(bucket, deny, { content: GIF })).status).toBe(200);
    const denyGroup = { mimeLimit: '!image/*' };
    await expectRefusal(await send(bucket, denyGroup, { content: GIF }), 403, FORBIDDEN);
    expect((await send(bucket, denyGroup, { content: TEXT })).status).toBe(200);
  });

  test('it is judged after the file when the token comes late [policy-type-01]', async () => {
    const bucket = await newBucket();
    const token = uploadToken(target.account, { scope: bucket, mimeLimit: 'image/*' });
    const answer = await postParts(target.url, [
      file(TEXT, 'photo.png', 'image/png'),
      field('key', 'k'),
      field('token', token),
    ]);
    await expectRefusal(answer, 403, FORBIDDEN);
    await expectNothing(bucket, 'k');
  });
});

describe('detectMime', () => {
  test.each([{}, { detectMime: 0 }])(
    '%j: the client’s type, then names, then content [policy-type-03]',
    async (policy) => {
      const bucket = await newBucket();
      const png = { content: PNG, fileName: 'page.html', key: 'style.css' };
      expect(await typeOf(bucket, policy, { ...png, type: 'video/mp4' })).toBe('video/mp4');
      expect(await typeOf(bucket, policy, png)).toBe('text/html');
      expect(await typeOf(bucket, policy, { ...png, fileName: 'page' })).toBe('text/css');
      expect(await typeOf(bucket, policy, { content: PNG, fileName: 'page' })).toBe('image/png');
    },
  );

  test('0: application/octet-stream, which encoders write for want of better, counts as no type [policy-type-03]', async () => {
    const bucket = await newBucket();
    const sent = { content: PNG, type: 'application/octet-stream' };
    expect(await typeOf(bucket, {}, { ...sent, fileName: 'page.html' })).toBe('text/html');
    expect(await typeOf(bucket, {}, sent)).toBe('image/png');
  });

  test('1: the client’s type is ignored, the content decides before the names [policy-type-04]', async () => {
    const bucket = await newBucket();
    const policy = { detectMime: 1 };
    const sent = { content: PNG, type: 'text/plain', fileName: 'a.css', key: 'a.html' };
    expect(await typeOf(bucket, policy, sent)).toBe('image/png');
    expect(await typeOf(bucket, policy, { ...sent, content: UNKNOWN })).toBe('text/css');
    expect(await typeOf(bucket, policy, { ...sent, content: UNKNOWN, fileName: 'a' })).toBe('text/html');
  });

  test('-1: the client’s type is taken whatever the content [policy-type-05]', async () => {
    const bucket = await newBucket();
    const policy = { detectMime: -1 };
    const sent = { content: PNG, fileName: 'a.png', key: 'a.png' };
    expect(await typeOf(bucket, policy, { ...sent, type: 'text/plain' })).toBe('text/plain');
    expect(await typeOf(bucket, policy, { ...sent, type: 'application/octet-stream' })).toBe(
      'application/octet-stream',
    );
    expect(await typeOf(bucket, policy, sent)).toBe('application/octet-stream');
  });

  test('what tells nothing is application/octet-stream [policy-type-06]', async () => {
    const bucket = await newBucket();
    const sent = { content: UNKNOWN, fileName: 'name.no-such-extension' };
    for (const detectMime of [0, 1, -1])
      expect(await typeOf(bucket, { detectMime }, sent)).toBe('application/octet-stream');
    expect(await typeOf(bucket, {}, { content: '' })).toBe('application/octet-stream');
  });

  test('a client type outside the character set is not refused: the type is detected [policy-type-07]', async () => {
    const bucket = await newBucket();
    for (const type of [
      'text/plain; charset="utf-8"',
      'a/b%2F',
      'téxt/plain',
      'a:b',
      'x/'.padEnd(201, 'x'),
    ]) {
      const sent = { content: PNG, fileName: 'photo.png', type };
      expect([type, await typeOf(bucket, {}, sent)]).toEqual([type, 'image/png']);
    }
    const longest = 'x/'.padEnd(200, 'x');
    expect(await typeOf(bucket, {}, { content: PNG, type: longest })).toBe(longest);
  });
});
