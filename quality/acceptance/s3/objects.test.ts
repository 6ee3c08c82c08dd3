import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  codeOf,
  elementsIn,
  expectS3Refusal,
  newS3Bucket,
  putNatively,
  type S3Call,
  s3,
} from '../support/s3/signed.ts';
import { sendSigned } from '../support/signing.ts';
import { download, newBucket, target } from '../support/target.ts';

let bucket = '';
beforeAll(async () => {
  bucket = await newS3Bucket();
});

const setPrivate = (flag: 0 | 1) =>
  sendSigned({ target: '/private', body: `bucket=${bucket}&private=${flag}` });
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const put = (key: string, body: string, headers: S3Call['headers'] = {}) =>
  s3(`/${bucket}/${key}`, { method: 'PUT', body, headers });
const get = (key: string, headers: S3Call['headers'] = {}) => s3(`/${bucket}/${key}`, { headers });
const head = (key: string, headers: S3Call['headers'] = {}) =>
  s3(`/${bucket}/${key}`, { method: 'HEAD', headers });

describe('keys', () => {
  test.each([
    'a//b',
    '/lead',
    'a/./b',
    'a/../b',
    'end/',
    'a+b',
    'a%20b%26%3C%3E',
    '%C3%A9',
    'line%0Abreak',
    '%01',
  ])('%s is stored, listed and read under exactly these bytes [S1 S43]', async (key) => {
    await put(key, key);
    expect((await get(key)).text).toBe(key);
    const listed = await s3(
      `/${bucket}?list-type=2&encoding-type=url&prefix=${encodeURIComponent(decodeURIComponent(key))}`,
    );
    expect(elementsIn(listed, 'Key').map(decodeURIComponent)).toContain(decodeURIComponent(key));
  });

  test('have at most 750 bytes [S88]', async () => {
    const longest = 'k'.repeat(750);
    expect((await put(longest, 'x')).status).toBe(200);
    for (const method of ['PUT', 'GET', 'DELETE'])
      expectS3Refusal(await s3(`/${bucket}/${longest}k`, { method }), 400, 'KeyTooLongError');
  });
});

describe('an object', () => {
  test('has the MD5 of its bytes as ETag, in every answer [S34]', async () => {
    const etag = `"${md5('content')}"`;
    expect((await put('etag', 'content')).headers.get('etag')).toBe(etag);
    expect((await get('etag')).headers.get('etag')).toBe(etag);
    expect((await head('etag')).headers.get('etag')).toBe(etag);
    for (const version of ['', '&list-type=2'])
      expect((await s3(`/${bucket}?prefix=etag${version}`)).text).toContain(
        `<ETag>&quot;${md5('content')}&quot;`,
      );
  });

  test('of another protocol has an ETag that nobody takes for an MD5, and no checksum [S35]', async () => {
    await putNatively(bucket, 'native', 'by form');
    const answer = await get('native', { 'x-amz-checksum-mode': 'ENABLED' });
    expect(answer.text).toBe('by form');
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{32}-1"$/);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-amz-checksum'))).toEqual([]);
  });

  test('keeps what was said of it, and a put replaces all of it [S59 S60]', async () => {
    const said = {
      'content-type': 'text/html; charset="utf-8"',
      'cache-control': 'max-age=1',
      'content-disposition': 'attachment; filename="é.txt"'.replace('é', 'e'),
      'content-language': 'de',
      expires: 'Thu, 01 Dec 1994 16:00:00 GMT',
      'x-amz-meta-s3cmd-attrs': 'atime:1794782358/ctime:1/gid:0/md5:a',
      'x-amz-meta-two': 'words here',
    };
    await put('said', 'x', said);
    const answer = await head('said');
    for (const [name, value] of Object.entries(said)) expect(answer.headers.get(name), name).toBe(value);
    await put('said', 'x');
    const plain = await head('said');
    expect(plain.headers.get('content-type')).toBe('binary/octet-stream');
    expect([...plain.headers.keys()].filter((name) => /meta|cache-control|expires/.test(name))).toEqual([]);
    expectS3Refusal(await put('said', 'x', { 'x-amz-meta-a': 'v'.repeat(2048) }), 400, 'MetadataTooLarge');
  });

  test('of any words is read by every protocol', async () => {
    const bytes = (words: string) => Buffer.from(words).toString('latin1');
    const open = await newBucket();
    const headers = { 'x-amz-meta-name': bytes('日本'), 'content-type': 'text/plain; charset="utf-8"' };
    await s3(`/${open}/words`, { method: 'PUT', body: 'x', headers });
    const byS3 = await s3(`/${open}/words`);
    expect(byS3.headers.get('x-amz-meta-name')).toBe(bytes('日本'));
    const natively = await download(open, 'words');
    expect([natively.status, await natively.text()]).toEqual([200, 'x']);
    expect(natively.headers.get('content-type')).toBe(headers['content-type']);
  });

  test('that is not there is 404, and the connection stays usable [S55]', async () => {
    expect((await head('missing')).status).toBe(404);
    expectS3Refusal(await get('missing'), 404, 'NoSuchKey');
    expectS3Refusal(await s3('/no-such-bucket-here/k'), 404, 'NoSuchBucket');
  });

  test('is the stranger’s only if the bucket is public, and then only to read [S47 S67 S68]', async () => {
    await put('page', '<p>', { 'content-type': 'text/html' });
    const by = target.stranger;
    expectS3Refusal(await s3(`/${bucket}/page`, { by }), 403, 'AccessDenied');
    expectS3Refusal(await s3(`/${bucket}/page`, { by: 'nobody' }), 403, 'AccessDenied');
    await setPrivate(0);
    const status = async () => (await s3(`/${bucket}/page`, { by: 'nobody' })).status;
    await expect.poll(status, { timeout: 30_000 }).toBe(200);
    const read = await s3(`/${bucket}/page`, { by: 'nobody' });
    expect(read.headers.get('content-security-policy')).toContain('sandbox');
    expect(read.headers.get('content-disposition')).toBeNull();
    for (const call of [{ method: 'PUT', body: 'x' }, { method: 'DELETE' }])
      expectS3Refusal(await s3(`/${bucket}/page`, { ...call, by }), 403, 'AccessDenied');
    expectS3Refusal(await s3(`/${bucket}`, { by: 'nobody' }), 403, 'AccessDenied');
    const override = '?response-content-disposition=attachment';
    expectS3Refusal(await s3(`/${bucket}/page${override}`, { by: 'nobody' }), 400, 'InvalidRequest');
    expect((await get(`page${override}`)).headers.get('content-disposition')).toBe('attachment');
    await setPrivate(1);
  });

  test('never has a version or a coding of ours [S90]', async () => {
    await put('plain', 'x'.repeat(5000));
    const answer = await get('plain', { 'accept-encoding': 'gzip' });
    expect(answer.headers.get('x-amz-version-id')).toBeNull();
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('x-amz-request-id')).toBeTruthy();
  });
});

describe('bodies', () => {
  test.each([
    [{ 'content-md5': '' }, 'InvalidDigest'],
    [{ 'content-md5': 'AAAA' }, 'InvalidDigest'],
    [{ 'content-md5': Buffer.alloc(16).toString('base64') }, 'BadDigest'],
    [{ 'x-amz-checksum-crc32': 'AAAAAA==' }, 'BadDigest'],
    [{ 'x-amz-checksum-sha256': 'nonsense' }, 'BadDigest'],
    [{ 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-sha1': 'x' }, 'BadDigest'],
    [{ 'x-amz-checksum-md4': 'x' }, 'InvalidRequest'],
  ])('that differ from %j store nothing [S27 S28]', async (headers, code) => {
    const answer = await put('differs', 'body', headers as Record<string, string>);
    expect([400, codeOf(answer)]).toEqual([answer.status, code]);
    expect((await head('differs')).status).toBe(404);
  });

  test('have their checksum given back if asked for, and never on a range [S31 S32]', async () => {
    await put('sum', 'hello world', { 'x-amz-checksum-crc32c': 'yZRlqg==' });
    const mode = { 'x-amz-checksum-mode': 'ENABLED' };
    expect((await head('sum')).headers.get('x-amz-checksum-crc32c')).toBeNull();
    expect((await head('sum', mode)).headers.get('x-amz-checksum-crc32c')).toBe('yZRlqg==');
    const range = await get('sum', { ...mode, range: 'bytes=0-4' });
    expect([range.status, range.text, range.headers.get('x-amz-checksum-crc32c')]).toEqual([
      206,
      'hello',
      null,
    ]);
  });

  test('that promise what nobody here keeps are refused [S64]', async () => {
    for (const name of [
      'x-amz-server-side-encryption',
      'x-amz-server-side-encryption-customer-key',
      'x-amz-object-lock-mode',
    ])
      expectS3Refusal(await put('promise', 'x', { [name]: 'AES256' }), 501, 'NotImplemented');
    expectS3Refusal(
      await put('promise', 'x', { 'x-amz-grant-read': 'id=1' }),
      400,
      'AccessControlListNotSupported',
    );
    expectS3Refusal(
      await put('promise', 'x', { 'x-amz-acl': 'public-read' }),
      400,
      'AccessControlListNotSupported',
    );
    expectS3Refusal(
      await put('promise', 'x', { 'x-amz-storage-class': 'OUTPOSTS' }),
      400,
      'InvalidStorageClass',
    );
  });
});

describe('a client that waits for 100 Continue', () => {
  /** What comes back if nothing of the body is sent. */
  const said = (path: string, expectation: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port, host } = new URL(target.s3.url);
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (data) => {
        text += data.toString('latin1');
        socket.end();
      });
      socket.on('close', () => resolve(text)).on('error', reject);
      socket.write(
        `PUT ${path} HTTP/1.1\r\nhost: ${host}\r\nexpect: ${expectation}\r\ncontent-length: 5\r\n\r\n`,
      );
    });

  test('is refused without it [S25]', async () => {
    expect(await said(`/${bucket}/waits`, '100-continue')).toMatch(/^HTTP\/1\.1 403 .*<Code>AccessDenied</s);
    expect(await said('/no-such-bucket-here/waits', '100-continue')).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('may expect other things, too [S26]', async () => {
    expect(await said(`/${bucket}/waits`, '200')).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('conditions', () => {
  test('of writes are judged by ETag, with and without quotes [S36 S58]', async () => {
    expectS3Refusal(await put('cas', 'a', { 'if-match': md5('a') }), 404, 'NoSuchKey');
    expect((await put('cas', 'a', { 'if-none-match': '*' })).status).toBe(200);
    expectS3Refusal(await put('cas', 'b', { 'if-none-match': '*' }), 412, 'PreconditionFailed');
    expectS3Refusal(await put('cas', 'a', { 'if-none-match': '*' }), 412, 'PreconditionFailed');
    expectS3Refusal(await put('cas', 'b', { 'if-match': md5('b') }), 412, 'PreconditionFailed');
    for (const [etag, body] of [
      [`"${md5('a')}"`, 'b'],
      [md5('b'), 'c'],
      ['*', 'd'],
    ] as const)
      expect((await put('cas', body, { 'if-match': etag })).status).toBe(200);
    expect((await get('cas')).text).toBe('d');
  });

  test('of reads and removals', async () => {
    await put('read', 'x');
    expect((await get('read', { 'if-none-match': `"${md5('x')}"` })).status).toBe(304);
    expectS3Refusal(await get('read', { 'if-match': 'other' }), 412, 'PreconditionFailed');
    const remove = (headers: Record<string, string>) => s3(`/${bucket}/read`, { method: 'DELETE', headers });
    expectS3Refusal(await remove({ 'if-match': 'other' }), 412, 'PreconditionFailed');
    expect((await remove({ 'if-match': md5('x') })).status).toBe(204);
    expect((await remove({})).status).toBe(204);
  });
});

describe('copies', () => {
  const copy = (to: string, from: string, headers: Record<string, string> = {}) =>
    s3(`/${bucket}/${to}`, { method: 'PUT', headers: { 'x-amz-copy-source': from, ...headers } });

  test('keep metadata or replace all of it, and never keep the class [S61]', async () => {
    await put('from', 'x', {
      'x-amz-meta-a': '1',
      'content-type': 'text/plain',
      'x-amz-storage-class': 'STANDARD_IA',
    });
    await copy('kept', `${bucket}/from`, { 'x-amz-meta-a': 'ignored' });
    const kept = await head('kept');
    expect(kept.headers.get('x-amz-meta-a')).toBe('1');
    expect(kept.headers.get('x-amz-storage-class')).toBeNull();
    await copy('replaced', `/${bucket}/from`, { 'x-amz-metadata-directive': 'REPLACE', 'x-amz-meta-b': '2' });
    const replaced = await head('replaced');
    expect(replaced.headers.get('x-amz-meta-a')).toBeNull();
    expect(replaced.headers.get('x-amz-meta-b')).toBe('2');
    expect(replaced.headers.get('etag')).toBe(`"${md5('x')}"`);
  });

  test('onto itself change something or are refused [S63]', async () => {
    await put('self', 'x');
    expectS3Refusal(await copy('self', `${bucket}/self`), 400, 'InvalidRequest');
    await copy('self', `${bucket}/self`, { 'x-amz-storage-class': 'STANDARD_IA' });
    expect((await head('self')).headers.get('x-amz-storage-class')).toBe('STANDARD_IA');
    expect((await get('self')).text).toBe('x');
  });

  test('of what one may not read, or is not there, are refused', async () => {
    await put('secret', 'x');
    const theirs = `s3-${md5(bucket).slice(0, 12)}`;
    expect((await s3(`/${theirs}`, { method: 'PUT', by: target.stranger })).status).toBe(200);
    const stolen = await s3(`/${theirs}/stolen`, {
      method: 'PUT',
      by: target.stranger,
      headers: { 'x-amz-copy-source': `${bucket}/secret` },
    });
    expectS3Refusal(stolen, 403, 'AccessDenied');
    expectS3Refusal(await copy('to', `${bucket}/nothing`), 404, 'NoSuchKey');
    expectS3Refusal(
      await copy('to', `${bucket}/secret`, { 'x-amz-copy-source-if-match': 'x' }),
      412,
      'PreconditionFailed',
    );
  });
});

describe('removals of many', () => {
  const remove = (body: string) => s3(`/${bucket}?delete`, { method: 'POST', body });

  test('report each, what was not there too, and quietly only errors [S70]', async () => {
    await put('one', 'x');
    const xml =
      '<Delete><Object><Key>one</Key></Object><Object><Key>two</Key><VersionId>null</VersionId></Object></Delete>';
    expect(elementsIn(await remove(xml), 'Key')).toEqual(['one', 'two']);
    const quiet = await remove(
      '<Delete><Quiet>true</Quiet><Object><Key>one</Key><VersionId>x</VersionId></Object></Delete>',
    );
    expect(elementsIn(quiet, 'Code')).toEqual(['InvalidArgument']);
    const many = '<Object><Key>k</Key></Object>'.repeat(1001);
    expectS3Refusal(await remove(`<Delete>${many}</Delete>`), 400, 'MalformedXML');
  });
});

describe('lists', () => {
  let own = '';
  beforeAll(async () => {
    own = await newS3Bucket();
    for (const key of ['a/1', 'a/2', 'b', 'c/', 'c/1', 'd'])
      await s3(`/${own}/${key}`, { method: 'PUT', body: 'x' });
  });

  test('have every element that clients rely on, empty or not [S39 S40]', async () => {
    const empty = await s3(`/${own}?list-type=2&prefix=none`);
    for (const name of ['IsTruncated', 'MaxKeys', 'KeyCount', 'Prefix', 'Name'])
      expect(empty.text).toContain(`<${name}>`);
    expect((await s3(`/${own}?max-keys=0`)).text).toContain('<IsTruncated>false<');
    expect((await s3(`/${own}?max-keys=2000`)).text).toContain('<MaxKeys>1000<');
    for (const count of ['abc', '-1'])
      expectS3Refusal(await s3(`/${own}?max-keys=${count}`), 400, 'InvalidArgument');
  });

  test.each(['v1', 'v2'])('page through keys and groups, each once (%s) [S41 S42 S45]', async (version) => {
    const seen: string[] = [];
    let next = '';
    for (let page = 0; page < 10; page++) {
      const at =
        next === ''
          ? ''
          : `&${version === 'v1' ? 'marker' : 'continuation-token'}=${encodeURIComponent(next)}`;
      const answer = await s3(`/${own}?delimiter=/&max-keys=1${version === 'v1' ? '' : '&list-type=2'}${at}`);
      seen.push(
        ...elementsIn(answer, 'Key'),
        ...elementsIn(answer, 'Prefix').filter((prefix) => prefix !== ''),
      );
      [next = ''] = elementsIn(answer, version === 'v1' ? 'NextMarker' : 'NextContinuationToken');
      if (next === '') break;
    }
    expect(seen).toEqual(['a/', 'b', 'c/', 'd']);
    expect(elementsIn(await s3(`/${own}?prefix=c/&delimiter=/`), 'Key')).toEqual(['c/', 'c/1']);
  });

  test('of versions name each object once [S48]', async () => {
    const answer = await s3(`/${own}?versions`);
    expect(elementsIn(answer, 'Key')).toHaveLength(6);
    expect(new Set(elementsIn(answer, 'VersionId'))).toEqual(new Set(['null']));
  });

  test('show the same second as the object itself [S46]', async () => {
    const [listed = ''] = elementsIn(await s3(`/${own}?prefix=b`), 'LastModified');
    const shown = (await s3(`/${own}/b`, { method: 'HEAD' })).headers.get('last-modified') ?? '';
    expect(Date.parse(listed)).toBe(Date.parse(shown));
  });
});

test('tags come with the object, by their own call, and go with the copy [S65]', async () => {
  await put('tagged', 'x', { 'x-amz-tagging': 'a=1&b=2' });
  expect((await head('tagged')).headers.get('x-amz-tagging-count')).toBe('2');
  const tags = (key: string, call: S3Call = {}) => s3(`/${bucket}/${key}?tagging`, call);
  expect(elementsIn(await tags('tagged'), 'Value')).toEqual(['1', '2']);
  const set = '<Tagging><TagSet><Tag><Key>c</Key><Value>3</Value></Tag></TagSet></Tagging>';
  expect((await tags('tagged', { method: 'PUT', body: set })).status).toBe(200);
  await s3(`/${bucket}/copied`, { method: 'PUT', headers: { 'x-amz-copy-source': `${bucket}/tagged` } });
  expect(elementsIn(await tags('copied'), 'Key')).toEqual(['c']);
  expect((await tags('tagged', { method: 'DELETE' })).status).toBe(204);
  expect((await tags('tagged')).status).toBe(200);
});

test('an archived object is restored, then read, and restored for longer [S69]', async () => {
  await put('archived', 'x', { 'x-amz-storage-class': 'GLACIER' });
  expectS3Refusal(await get('archived'), 403, 'InvalidObjectState');
  expectS3Refusal(await get('archived', { range: 'bytes=5-7' }), 403, 'InvalidObjectState');
  expect((await head('archived')).headers.get('x-amz-restore')).toBeNull();
  const restore = (days: number) =>
    s3(`/${bucket}/archived?restore`, {
      method: 'POST',
      body: `<RestoreRequest><Days>${days}</Days></RestoreRequest>`,
    });
  expectS3Refusal(await restore(0), 400, 'MalformedXML');
  expect((await restore(1)).status).toBe(202);
  expectS3Refusal(await restore(1), 409, 'RestoreAlreadyInProgress');
  expect((await head('archived')).headers.get('x-amz-restore')).toBe('ongoing-request="true"');
});
