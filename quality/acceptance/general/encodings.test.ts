import { createHash } from 'node:crypto';
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { downloadPath, randomContent, type Stored, statTarget, store } from '../support/objects/objects.ts';
import { type RawResponse, rawFetch } from '../support/raw.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, upload } from '../support/target.ts';

let bucket: string;
beforeAll(async () => {
  bucket = await newBucket();
});

async function statEntry(entry: string): Promise<RawResponse> {
  return sendSigned({ target: `/stat/${entry}` });
}

function expectInvalid(answer: RawResponse): void {
  expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid argument' }]);
}

function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Stores under the key and finds it again, with other content than its neighbours. */
async function storeAndFind(key: string): Promise<Stored> {
  const object = await store(key, `content of ${JSON.stringify(key)}`, { bucket });
  const found = await statEntry(base64(`${bucket}:${key}`));
  expect([found.status, found.json()]).toMatchObject([200, { hash: object.hash }]);
  return object;
}

describe('an encoded entry', () => {
  test('is the URL-safe Base64 of bucket, colon and key [entry-01]', async () => {
    await storeAndFind('photos/2026/a.jpg');
  });

  test('has - and _ where plain Base64 has + and / [entry-02]', async () => {
    // Both appear whatever the length of the bucket's name is.
    const key = '>>>???>>>???~~~';
    const plain = Buffer.from(`${bucket}:${key}`).toString('base64');
    expect(plain).toMatch(/\+/);
    expect(plain).toMatch(/\//);
    await storeAndFind(key);
    expectInvalid(await statEntry(plain.replaceAll('/', '_')));
  });

  test('holds the bytes of a key beyond ASCII [entry-03]', async () => {
    for (const key of ['文件/图片.jpg', 'été', '🐟.png']) await storeAndFind(key);
  });

  test('is accepted with and without its padding [b64-01]', async () => {
    for (const key of ['1', '12', '123']) {
      const { hash } = await storeAndFind(key);
      const entry = base64(`${bucket}:${key}`);
      for (const form of [entry, entry.replaceAll('=', '')]) {
        const found = await statEntry(form);
        expect([found.status, found.json()]).toMatchObject([200, { hash }]);
      }
    }
  });

  test('with a character outside the alphabet is refused [b64-02]', async () => {
    await storeAndFind('abc');
    const entry = base64(`${bucket}:abc`).replaceAll('=', '');
    for (const bad of ['+', '/', '*', '.', '~', '!', '%41', '%2B', ':', ' '.replace(' ', '%20'), '\u00e9']) {
      expectInvalid(await statEntry(`${entry.slice(0, 5)}${bad}${entry.slice(5)}`));
    }
    expectInvalid(await statEntry(''));
    expectInvalid(await statEntry(`${entry}/`));
  });

  test('whose padding a library wrote as %3D is refused with a hint, on every call [b64-02]', async () => {
    const own = await newBucket();
    const key = ['1', '12'].find((each) => base64(`${own}:${each}`).endsWith('=')) ?? '';
    await store(key, 'x', { bucket: own });
    const entry = base64(`${own}:${key}`);
    const hint = expect.stringMatching(/= .*%3D/);
    for (const encoded of [encodeURIComponent(entry), entry.replaceAll('=', '%3d')])
      for (const target of [
        `/stat/${encoded}`,
        `/chgm/${encoded}/mime/YS9i`,
        `/chgm/${entry}/mime/YQ%3D%3D`,
        `/move/${entry}/${encoded}`,
        `/fetch/aHR0cDovL2EuZXhhbXBsZQ%3D%3D/to/${entry}`,
      ]) {
        const answer = await sendSigned({ target });
        expect([answer.status, answer.json()]).toEqual([400, { error: 'invalid argument', hint }]);
      }
    const plain = await statEntry(`${entry.replaceAll('=', '')}+`);
    expect(plain.json()).toEqual({ error: 'invalid argument', hint: expect.stringContaining('URL-safe') });
  });

  test('with loose bits at its end, or wrong padding, is refused [b64-03]', async () => {
    for (const key of ['1', '12', '123']) {
      await storeAndFind(key);
      const entry = base64(`${bucket}:${key}`).replaceAll('=', '');
      const padding = '='.repeat((4 - (entry.length % 4)) % 4);
      for (const wrong of ['=', '==', '===', '====']) {
        if (wrong !== padding) expectInvalid(await statEntry(entry + wrong));
      }
      expectInvalid(await statEntry(`=${entry}`));
      if (padding === '') continue;
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const last = alphabet[alphabet.indexOf(entry.at(-1) ?? '') + 1] ?? '';
      expect(Buffer.from(entry.slice(0, -1) + last, 'base64url')).toEqual(Buffer.from(entry, 'base64url'));
      expectInvalid(await statEntry(entry.slice(0, -1) + last));
    }
  });

  test('splits at the first colon [b64-04]', async () => {
    for (const key of ['a:b', ':', '::x:']) await storeAndFind(key);
  });

  test('with an empty key names an object, without a key it is refused [b64-05]', async () => {
    const empty = await statEntry(base64(`${bucket}:`));
    expect([empty.status, empty.json()]).toEqual([612, { error: 'no such file or directory' }]);
    expectInvalid(await statEntry(base64(bucket)));
    const nameless = await storeAndFind('');
    expect((await rawFetch({ target: `/${bucket}/` })).header('etag')).toBe(`"${nameless.hash}"`);
    expectInvalid(await statEntry(base64(bucket)));
  });
});

describe('a key', () => {
  test('that is not UTF-8 is refused, on calls and in URLs [key-01]', async () => {
    for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      const entry = base64(Buffer.concat([Buffer.from(`${bucket}:`), Buffer.from(bytes)]));
      const answer = await statEntry(entry);
      expect([answer.status, answer.json()]).toEqual([400, { error: 'key must be utf8 encoding' }]);
      const escaped = bytes.map((byte) => `%${byte.toString(16)}`).join('');
      const download = await rawFetch({ target: `/${bucket}/${escaped}` });
      expect([download.status, download.json()]).toEqual([400, { error: 'key must be utf8 encoding' }]);
      expect(download.header('x-reqid')).toMatch(/./);
    }
  });

  test('may have 750 bytes, not 751, and the router cuts none of it off [key-02 G48]', async () => {
    for (const key of ['k'.repeat(750), '文'.repeat(250)]) {
      const object = await storeAndFind(key);
      const download = await rawFetch({ target: object.path });
      expect([download.status, download.header('etag')]).toEqual([200, `"${object.hash}"`]);
      const longer = `${key}k`;
      expectInvalid(await statEntry(base64(`${bucket}:${longer}`)));
      const refused = await upload({ scope: bucket }, 'x', { key: longer });
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid argument' }]);
      const tooLong = await rawFetch({ target: downloadPath(bucket, longer) });
      expect([tooLong.status, tooLong.json()]).toMatchObject([400, { error: 'invalid argument' }]);
    }
    // A target near the limit of the headers is judged by its key's length, not by the router.
    expectInvalid(await statEntry('A'.repeat(24 * 1024)));
  });

  test('with a NUL byte is refused with 400, on every way in [key-03 G46]', async () => {
    for (const key of ['\0', 'a\0b', 'a\0']) {
      expectInvalid(await statEntry(encodeBase64Text(`${bucket}:${key}`)));
      expectInvalid(await sendSigned({ target: `/delete/${encodeBase64Text(`${bucket}:${key}`)}` }));
      expectInvalid(await rawFetch({ target: downloadPath(bucket, key) }));
      const uploaded = await upload({ scope: bucket }, 'x', { key });
      expect([uploaded.status, await uploaded.json()]).toMatchObject([400, { error: 'invalid argument' }]);
    }
    const named = await statEntry(encodeBase64Text(`${bucket}\0:a`));
    expect(named.status).toBe(400);
  });

  test('is listed in the order of bytes [G46]', async () => {
    const own = await newBucket();
    const keys = ['b', 'B', 'a', 'Z', '~', '-', '_', 'é', 'z', '😀', '\uffee', 'a/b', 'a-b', 'a b', 'ab'];
    for (const key of keys) await store(key, key, { bucket: own });
    const listed = await sendSigned({ method: 'GET', target: `/list?bucket=${own}` });
    const { items } = listed.json() as { items: { key: string }[] };
    const byBytes = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(items.map((item) => item.key)).toEqual(byBytes);
  });

  test('is not normalised: composed and decomposed letters are two objects [key-04]', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    expect(composed.normalize('NFD')).toBe(decomposed);
    const [one, two] = [await storeAndFind(composed), await storeAndFind(decomposed)];
    expect(one.hash).not.toBe(two.hash);
    expect((await statEntry(formatEntry(bucket, composed))).json()).toMatchObject({ hash: one.hash });
  });

  test('keeps a byte order mark: with it and without it are two objects [key-05]', async () => {
    const [plain, marked] = [await storeAndFind('bom.txt'), await storeAndFind('\ufeffbom.txt')];
    expect(plain.hash).not.toBe(marked.hash);
    expect((await statEntry(formatEntry(bucket, 'bom.txt'))).json()).toMatchObject({ hash: plain.hash });
    const downloads = await Promise.all([plain, marked].map(({ path }) => rawFetch({ target: path })));
    expect(downloads.map((answer) => answer.header('etag'))).toEqual([`"${plain.hash}"`, `"${marked.hash}"`]);
  });

  test.each(['a//b', '//', '/a', '.', '..', './a', '../a', 'a/../b', 'a/./b', 'a/', 'a/..', '%2e%2e', '%'])(
    '%j is stored, read by URL and deleted as it is [key-06]',
    async (key) => {
      const object = await storeAndFind(key);
      const read = await rawFetch({ target: object.path });
      expect([read.status, read.text()]).toEqual([200, `content of ${JSON.stringify(key)}`]);
      expect((await sendSigned({ target: object.stat.replace('/stat/', '/delete/') })).status).toBe(200);
      expect((await rawFetch({ target: object.path })).status).toBe(404);
      expect((await sendSigned({ target: object.stat })).status).toBe(612);
    },
  );

  test('of nothing but dots and slashes does not reach another', async () => {
    await store('secret', 'of another bucket', { bucket });
    const own = await newBucket();
    for (const path of [`/${own}/../${bucket}/secret`, `/${own}/%2e%2e/${bucket}/secret`]) {
      expect((await rawFetch({ target: path })).status).toBe(404);
    }
  });
});

describe('a hash', () => {
  const MIB = 1024 * 1024;

  test('of content up to 4 MiB is 0x16 and its SHA-1 [etag-01]', async () => {
    const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest();
    expect((await store('empty', '', { bucket })).hash).toBe('Fto5o-5ea0sNMlW_75VgGJCv2AcJ');
    for (const size of [1, 4 * MIB]) {
      const content = randomContent(size);
      const expected = base64(Buffer.concat([Buffer.from([0x16]), sha1(content)]));
      const object = await store(`small-${size}`, content, { bucket });
      expect(object.hash).toBe(expected);
      expect((await statEntry(formatEntry(bucket, `small-${size}`))).json()).toMatchObject({
        hash: expected,
        fsize: size,
      });
    }
  });

  test('of content above 4 MiB is 0x96 and the SHA-1 of the SHA-1s of its blocks [etag-02]', async () => {
    const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest();
    for (const size of [4 * MIB + 1, 8 * MIB, 9 * MIB]) {
      const content = randomContent(size);
      const blocks: Buffer[] = [];
      for (let at = 0; at < size; at += 4 * MIB) blocks.push(sha1(content.subarray(at, at + 4 * MIB)));
      const expected = base64(Buffer.concat([Buffer.from([0x96]), sha1(Buffer.concat(blocks))]));
      expect(expected).toMatch(/^l/);
      expect((await store(`large-${size}`, content, { bucket })).hash).toBe(expected);
    }
  });
});

test('a stat target is what the protocol says it is', () => {
  expect(statTarget('qiniuphotos', 'gogopher.jpg')).toBe('/stat/cWluaXVwaG90b3M6Z29nb3BoZXIuanBn');
});
