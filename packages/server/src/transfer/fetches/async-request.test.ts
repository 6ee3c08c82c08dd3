import { Fault } from '@millpond/protocol';
import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAsyncRequest } from './async-request.ts';

const read = (fields: unknown) => readAsyncRequest(Buffer.from(JSON.stringify(fields)));

test('a request in full', () => {
  expect(
    read({
      url: 'http://a.test/x;http://b.test/y',
      bucket: 'b',
      host: 'h.test',
      key: 'k',
      md5: 'D41D8CD98F00B204E9800998ECF8427E',
      etag: 'Fto5o-5ea0sNMlW_75VgGJCv2AcJ',
      callbackurl: 'http://c.test/',
      callbackbody: 'k=$(key)',
      callbackhost: 'd.test',
      file_type: 2,
      ignore_same_key: true,
    }),
  ).toEqual({
    urls: ['http://a.test/x', 'http://b.test/y'],
    bucket: 'b',
    host: 'h.test',
    key: 'k',
    md5: 'd41d8cd98f00b204e9800998ecf8427e',
    etag: 'Fto5o-5ea0sNMlW_75VgGJCv2AcJ',
    storageClass: 2,
    ignoreSameKey: true,
    callback: {
      callbackUrl: 'http://c.test/',
      callbackBody: 'k=$(key)',
      callbackBodyType: 'application/x-www-form-urlencoded',
      callbackHost: 'd.test',
    },
  });
});

test('what is left out, or empty, or null, is not there', () => {
  const plain = { urls: ['http://a.test/'], bucket: 'b', storageClass: 0, ignoreSameKey: false };
  expect(read({ url: 'http://a.test/', bucket: 'b' })).toEqual(plain);
  const names = [
    'host',
    'key',
    'md5',
    'etag',
    'callbackurl',
    'callbackbody',
    'callbackbodytype',
    'callbackhost',
  ];
  for (const nothing of ['', null])
    expect(
      read({
        url: 'http://a.test/',
        bucket: 'b',
        ...Object.fromEntries(names.map((name) => [name, nothing])),
      }),
    ).toEqual(plain);
});

test('whatever is sent is taken or refused with 400', () => {
  const value = fc.oneof(anyText(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
  const names = fc.constantFrom(
    'url',
    'bucket',
    'key',
    'host',
    'md5',
    'etag',
    'file_type',
    'ignore_same_key',
    'callbackurl',
    'callbackbody',
    'callbackbodytype',
  );
  const bodies = fc.oneof(
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .dictionary(names, value)
      .map((fields) => Buffer.from(JSON.stringify({ url: 'http://a.test/', bucket: 'b', ...fields }))),
  );
  fc.assert(
    fc.property(bodies, (body) => {
      try {
        expect(readAsyncRequest(body).urls.length).toBeGreaterThan(0);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        expect(error.status).toBe(400);
      }
    }),
  );
});
