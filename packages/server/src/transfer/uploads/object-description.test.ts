import { newBlobId } from '@millpond/blobs';
import { DAY_MS, type Dialect, dialects, type PolicyFields, parseUploadPolicy } from '@millpond/protocol';
import { expect, describe as group, test } from 'vitest';
import type { FinishedUpload } from './finished-upload.ts';
import { describeObject } from './object-description.ts';
import type { VerifiedUploadToken } from './upload-token.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function permit(fields: PolicyFields = {}): VerifiedUploadToken {
  const policy = parseUploadPolicy(
    Buffer.from(JSON.stringify({ scope: 'bucket', deadline: 4_000_000_000, ...fields })),
  );
  return { policy, bucket: { name: 'bucket' }, key: {} } as unknown as VerifiedUploadToken;
}

function finished(overrides: Partial<FinishedUpload> = {}): FinishedUpload {
  const blobId = newBlobId();
  return {
    way: 'form',
    blobId,
    segments: [{ id: blobId, size: 5 }],
    size: 5,
    hash: 'HASH',
    head: Buffer.from('hello'),
    key: undefined,
    fileName: undefined,
    mimeType: undefined,
    customVariables: {},
    metadata: {},
    ...overrides,
  };
}

const describe = (
  allowed: VerifiedUploadToken,
  known: FinishedUpload,
  givenKey?: string,
  dialect = dialects.svc as Dialect,
) => describeObject(allowed, known, { dialect, ...(givenKey === undefined ? {} : { givenKey }) });

const refusal = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { fault: string }).fault;
  }
};

group('the key', () => {
  test('is the one that a callback named, else as the policy says', () => {
    expect(describe(permit(), finished()).key).toBe('HASH');
    expect(
      describe(permit({ saveKey: '$(x:a)/$(etag)' }), finished({ customVariables: { 'x:a': 'b' } })).key,
    ).toBe('b/HASH');
    expect(describe(permit({ saveKey: 'saved' }), finished({ key: 'mine' })).key).toBe('mine');
    expect(describe(permit({ saveKey: 'saved' }), finished({ key: 'mine' }), 'named').key).toBe('named');
  });

  test('is held to the scope, whoever named it', () => {
    const scoped = permit({ scope: 'bucket:a/', isPrefixalScope: 1 });
    expect(describe(scoped, finished({ key: 'a/b' })).mode).toBe('insert');
    for (const [given, named] of [['b'], ['a/b', 'b']] as const)
      expect(refusal(() => describe(scoped, finished({ key: given }), named))).toBe('scopeMismatch');
    expect(refusal(() => describe(permit(), finished(), 'a\0b'))).toBe('invalidArgument');
    expect(refusal(() => describe(permit({ keylimit: ['a'] }), finished()))).toBe('scopeMismatch');
  });

  test('under a bucket alone is overwritten by an upload in parts only', () => {
    expect(describe(permit(), finished({ key: 'k' })).mode).toBe('insert');
    expect(describe(permit(), finished({ key: 'k', way: 'parts' })).mode).toBe('overwrite');
    expect(describe(permit({ insertOnly: 1 }), finished({ key: 'k', way: 'parts' })).mode).toBe('insert');
  });
});

group('types', () => {
  test('octet-stream of an encoder says nothing, unless the policy takes the client’s word', () => {
    const sent = finished({ head: PNG, mimeType: 'application/octet-stream' });
    expect(describe(permit(), sent)).toMatchObject({ mimeType: 'image/png', detectedType: 'image/png' });
    expect(describe(permit({ detectMime: -1 }), sent)).toMatchObject({
      mimeType: 'application/octet-stream',
      detectedType: 'image/png',
    });
    expect(describe(permit(), finished({ mimeType: 'text/x-own' })).mimeType).toBe('text/x-own');
  });

  test('are limited by what the content is, not by what the client says', () => {
    const images = permit({ mimeLimit: 'image/*' });
    expect(refusal(() => describe(images, finished({ mimeType: 'image/png' })))).toBe('mimeTypeForbidden');
  });

  test('that the limit does not allow are not stored, whoever names them: the detected one is', () => {
    const stored = (policy: PolicyFields, sent: Partial<FinishedUpload>) =>
      describe(permit(policy), finished({ head: PNG, ...sent })).mimeType;
    const page = 'Text/HTML; charset=utf-8';
    for (const mimeLimit of ['image/*', 'image/png', '!text/html', '!text/*'])
      for (const detectMime of [0, -1])
        expect(stored({ mimeLimit, detectMime }, { mimeType: page })).toBe('image/png');
    for (const named of [{ fileName: 'a.html' }, { key: 'a.html' }])
      expect(stored({ mimeLimit: 'image/*' }, named)).toBe('image/png');
    expect(stored({ mimeLimit: 'image/*', detectMime: -1 }, {})).toBe('image/png');
    expect(stored({ mimeLimit: 'image/*' }, { mimeType: 'image/x-own' })).toBe('image/x-own');
    expect(stored({}, { mimeType: page })).toBe(page);
  });

  test('that a limit to several kinds allows are stored where the content is of that kind', () => {
    const bytes = 'application/octet-stream';
    const stored = (mimeLimit: string, sent: Partial<FinishedUpload>) =>
      describe(permit({ mimeLimit }), finished({ head: Buffer.from([0, 0x9c, 1, 0xfe, 0x80]), ...sent }));
    const asBytes = { mimeType: bytes, detectedType: bytes };
    for (const sent of [{ fileName: 'x.png' }, { key: 'x.png' }, { mimeType: 'image/png' }])
      expect(stored(`image/png;${bytes}`, sent)).toMatchObject(asBytes);
    expect(stored(`video/*;${bytes}`, { fileName: 'x.mp4' })).toMatchObject(asBytes);
    expect(stored('image/png;text/html', { head: PNG, mimeType: 'text/html' }).mimeType).toBe('image/png');
    expect(stored(`application/msword;${bytes}`, { mimeType: 'application/msword' }).mimeType).toBe(
      'application/msword',
    );
  });
});

group('metadata', () => {
  test('is absent where there is none, and lower-cased', () => {
    expect(describe(permit(), finished()).meta).toBeUndefined();
    expect(describe(permit(), finished({ metadata: { Colour: 'red', b: '' } })).meta).toMatchObject({
      colour: 'red',
    });
  });

  test('may not be too much, nor have names that are none', () => {
    for (const metadata of [{ a: 'v'.repeat(1024) }, { 'a.b': 'v' }])
      expect(refusal(() => describe(permit(), finished({ metadata })))).toBe('invalidArgument');
  });
});

group('response headers', () => {
  const said = finished({
    metadata: { '!Cache-Control': 'no-store', '!content-language': 'de', '!Expires': '', a: '1' },
  });

  test('are what the client says, apart from its metadata', () => {
    expect(describe(permit(), finished())).toMatchObject({ meta: undefined, headers: undefined });
    expect(describe(permit(), said)).toMatchObject({
      meta: { a: '1' },
      headers: { 'cache-control': 'no-store', 'content-language': 'de' },
    });
    expect(describe(permit(), finished({ metadata: { '!Expires': '' } })).headers).toBeUndefined();
  });

  test('are what the policy says where it says something, and that may be that there is none', () => {
    const responseHeaders = { 'Cache-Control': 'max-age=60', 'Content-Language': '', Expires: '0' };
    expect(describe(permit({ responseHeaders }), said)).toMatchObject({
      meta: { a: '1' },
      headers: { 'cache-control': 'max-age=60', expires: '0' },
    });
    expect(describe(permit({ responseHeaders: { Expires: '' } }), finished()).headers).toBeUndefined();
  });

  test.each([
    ['!Cache-Control', 'max-age: 60'],
    ['!Expires', 'tomorrow'],
    ['!Content-Type', 'text/html'],
    ['!x-own', '1'],
    ['!Set-Cookie', 'a=b'],
    ['!', 'a'],
  ])('%s: %s is refused', (name, value) => {
    expect(refusal(() => describe(permit(), finished({ metadata: { [name]: value } })))).toBe(
      'invalidArgument',
    );
  });

  test('of other names are set where the dialect knows them', () => {
    const metadata = { '!Last-Modified': 'Wed, 21 Oct 2015 07:00:00 GMT', '!x-own': '1' };
    expect(describe(permit(), finished({ metadata }), undefined, dialects.qiniu).headers).toEqual({
      'last-modified': metadata['!Last-Modified'],
      'x-own': '1',
    });
  });
});

group('the end', () => {
  test('is the midnight after so many whole days, never before them', () => {
    for (const deleteAfterDays of [1, 7, 36_500]) {
      const before = Date.now();
      const end = describe(permit({ deleteAfterDays }), finished()).expiresAt?.getTime() ?? 0;
      expect(end % DAY_MS).toBe(0);
      expect(end).toBeGreaterThanOrEqual(before + deleteAfterDays * DAY_MS);
      expect(end).toBeLessThan(Date.now() + (deleteAfterDays + 1) * DAY_MS);
    }
    expect(describe(permit(), finished()).expiresAt).toBeUndefined();
  });
});

test('a file below the policy’s least size is refused', () => {
  expect(refusal(() => describe(permit({ fsizeMin: 6 }), finished()))).toBe('fileTooSmall');
  expect(refusal(() => describe(permit({ fsizeMin: 5 }), finished()))).toBe(undefined);
});
