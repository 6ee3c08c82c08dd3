import { dialects, encodeBase64Text, Fault, formatEntry } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMetadataRequest } from './metadata-change.ts';

const ENTRY = formatEntry('bucket', 'key');
const b64 = encodeBase64Text;
const read = (path: string, dialect = dialects.svc) => readMetadataRequest(path.split('/'), dialect);

function faultOf(path: string, dialect = dialects.svc): string {
  try {
    read(path, dialect);
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
  return 'none';
}

describe('the segments of a metadata change', () => {
  test('stand in any order, and each but one change may be left out', () => {
    const mime = `mime/${b64('text/css')}`;
    const meta = `x-svc-meta-Color/${b64('red')}/x-svc-meta-size/`;
    const cond = `cond/${b64('fsize=3&mime=image/svg+xml')}`;
    const changes = [
      { kind: 'meta', name: 'color', value: 'red' },
      { kind: 'meta', name: 'size', value: '' },
    ];
    const condition = { fsize: 3n, mime: 'image/svg+xml' };
    for (const path of [`${mime}/${meta}/${cond}`, `${cond}/${meta}/${mime}`])
      expect(read(`${ENTRY}/${path}`)).toEqual({
        entry: { bucket: 'bucket', key: 'key' },
        mimeType: 'text/css',
        changes,
        condition,
      });
    expect(read(`${ENTRY}/${mime}`)).toMatchObject({ changes: [], condition: {} });
    expect(read(`${ENTRY}/${meta}`)).toMatchObject({ mimeType: undefined, changes, condition: {} });
  });

  test.each(['mime/', 'mime//', `mime//x-svc-meta-a/${b64('1')}`, `x-svc-meta-a/${b64('1')}/mime//`])(
    'an empty type is a type: %s [G19]',
    (path) => {
      expect(read(`${ENTRY}/${path}`).mimeType).toBe('');
    },
  );

  test.each([
    ['', 'invalidArgument'],
    [ENTRY, 'invalidArgument'],
    [`${ENTRY}/`, 'invalidArgument'],
    [`${ENTRY}/mime`, 'invalidArgument'],
    [`${ENTRY}/cond/${b64('fsize=1')}`, 'invalidArgument'],
    [`${ENTRY}/mime/${b64('a/b')}/more`, 'invalidArgument'],
    [`${ENTRY}/mime/${b64('a/b')}/mime/${b64('a/b')}`, 'invalidArgument'],
    [`${ENTRY}/mime/${b64('a/b')}/cond/${b64('fsize=1')}/cond/${b64('fsize=1')}`, 'invalidArgument'],
    [`${ENTRY}/x-svc-meta-a/${b64('1')}/x-svc-meta-A/${b64('2')}`, 'invalidArgument'],
    [`${ENTRY}/type/${b64('a/b')}`, 'invalidArgument'],
    [`${ENTRY}/mime/a+b`, 'invalidArgument'],
    [`${ENTRY}/mime/${b64('a%b')}`, 'invalidMimeType'],
    [`${ENTRY}/mime/_w==`, 'invalidMimeType'],
    [`${ENTRY}/x-svc-meta-a/_w==`, 'invalidArgument'],
    [`${ENTRY}/x-qn-meta-a/${b64('1')}`, 'invalidArgument'],
    [`${b64('bucket')}/mime/${b64('a/b')}`, 'invalidArgument'],
  ])('"%s" is refused', (path, fault) => {
    expect(faultOf(path)).toBe(fault);
  });

  test('whatever the path, it is read or refused with 400', () => {
    const segment = fc.oneof(
      fc.constantFrom('mime', 'cond', 'x-svc-meta-a', 'x-svc-meta-', ENTRY, ''),
      fc.string().map((text) => b64(text)),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 9 }), (segments) => {
        const refused = faultOf([ENTRY, ...segments].join('/'));
        expect(['none', 'invalidArgument', 'invalidMimeType', 'keyNotUtf8']).toContain(refused);
      }),
    );
  });

  test('pairs come back as they were written', () => {
    const name = fc.stringMatching(/^[a-z0-9_-]{1,50}$/);
    const value = fc.stringMatching(/^[a-zA-Z0-9.+/\-;=,_ ]{0,60}$/);
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1, maxKeys: 8 }), (pairs) => {
        const path = Object.entries(pairs).map(([each, text]) => `x-svc-meta-${each}/${b64(text)}`);
        const { changes } = read([ENTRY, ...path].join('/'));
        expect(Object.fromEntries(changes.map((change) => [change.name, change.value]))).toEqual({
          ...pairs,
        });
      }),
    );
  });
});

describe('response headers', () => {
  const header = (name: string, value = '1') => `${ENTRY}/x-qn-meta-!${name}/${b64(value)}`;

  test.each([
    ['Cache-Control', 'max-age=60'],
    ['content-disposition', 'attachment; filename="a b.txt"'],
    ['Content-Encoding', 'gzip'],
    ['Content-Language', 'de, en'],
    ['EXPIRES', 'Tue, 15 Nov 2033 12:45:26 GMT'],
  ])('are set by names with an exclamation mark, in every dialect: %s', (name, value) => {
    const changes = [{ kind: 'headers', name: name.toLowerCase(), value }];
    expect(read(header(name, value), dialects.qiniu).changes).toEqual(changes);
    expect(read(`${ENTRY}/x-svc-meta-!${name}/${b64(value)}`).changes).toEqual(changes);
    expect(read(`${ENTRY}/X-Svc-Meta-!${name}/`).changes).toMatchObject([{ value: '' }]);
  });

  test('are no metadata of the same name', () => {
    const path = `${ENTRY}/x-svc-meta-!Expires/${b64('0')}/x-svc-meta-expires/${b64('0')}`;
    expect(read(path).changes.map(({ kind }) => kind)).toEqual(['headers', 'meta']);
    expect(faultOf(`${path}/x-svc-meta-!expires/${b64('0')}`)).toBe('invalidArgument');
  });

  test('whose value is not what their field allows are refused with a hint', () => {
    expect(() => read(`${ENTRY}/x-svc-meta-!Cache-Control/${b64('public; max-age=1')}`)).toThrow(
      expect.objectContaining({
        fault: 'invalidArgument',
        hint: expect.stringMatching(/^Cache-Control: .*commas/),
      }),
    );
  });

  test('written as they are called get the hint how to write them', () => {
    expect(() => read(`${ENTRY}/cache-control/${b64('no-cache')}`)).toThrow(
      expect.objectContaining({ hint: 'a response header must be written x-svc-meta-!Cache-Control' }),
    );
  });

  test.each([
    ['Content-Type', 'text/html'],
    ['Last-Modified', 'Wed, 21 Oct 2015 07:00:00 GMT'],
    ['x-custom-head-key', 'v="1"'],
    ['x-login', '1'],
    ['x-settings', '1'],
  ])('of more names, %s among them, in the dialect that knows them', (name, value) => {
    expect(faultOf(header(name, value), dialects.qiniu)).toBe('none');
    expect(faultOf(`${ENTRY}/x-svc-meta-!${name}/${b64(value)}`)).toBe('invalidArgument');
  });

  test.each([
    'Set-Cookie',
    'Content-Length',
    'Transfer-Encoding',
    'Location',
    'Content-Security-Policy',
    'Access-Control-Allow-Origin',
    'X-Content-Type-Options',
    'X-Accel-Redirect',
    'X-Accel-Expires',
    'X-Sendfile',
    'X-Sendfile2',
    'X-LIGHTTPD-send-file',
    'X-LiteSpeed-Location',
    'X-LiteSpeed-Cache-Control',
    'X-Reproxy-URL',
    'X-Reproxy-File',
    'X-Archive-Files',
    'X-Envoy-Overloaded',
    'X-Esi',
    'X-AppEngine-BlobKey',
    'X-Middleware-Rewrite',
    'X-Nextjs-Rewrite',
    'X-Set-Cookie',
    'X-Cookie',
    'X-Amz-Website-Redirect-Location',
    'X-HTTP-Method-Override',
    'X-Host',
    'X-Auth-Request-User',
    'X-SourceMap',
    'X-Cache-Control',
    'X-Original-URL',
    'X-Permitted-Cross-Domain-Policies',
    'Surrogate-Control',
    'X-Reqid',
    'ETag',
    '',
  ])('%s may not', (name) => {
    expect(faultOf(header(name), dialects.qiniu)).toBe('invalidArgument');
  });
});
