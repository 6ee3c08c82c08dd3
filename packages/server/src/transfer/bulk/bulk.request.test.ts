import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bulkPermissions, readBulkRequest, targetKey } from './bulk.request.ts';

const read = (body: unknown) => readBulkRequest({ body: Buffer.from(JSON.stringify(body)) });
const to = { bucket: 'other', prefix: 'x/' };

describe('a request', () => {
  test('is about a prefix, or about keys, each once and in the order of bytes', () => {
    expect(read({ kind: 'delete', bucket: 'abc', prefix: '' })).toMatchObject({
      prefix: '',
      keys: undefined,
    });
    const { keys } = read({ kind: 'delete', bucket: 'abc', keys: ['\u{1f600}', 'b', '\ufffd', 'b'] });
    expect(keys).toEqual(['b', '\ufffd', '\u{1f600}']);
  });

  test.each([
    [{ kind: 'delete', bucket: 'abc' }],
    [{ kind: 'burn', bucket: 'abc', prefix: '' }],
    [{ kind: 'delete', bucket: 'A', prefix: '' }],
    [{ kind: 'delete', bucket: 'abc', keys: [] }],
    [{ kind: 'delete', bucket: 'abc', keys: [1] }],
    [{ kind: 'delete', bucket: 'abc', keys: ['\ud800'] }],
    [{ kind: 'delete', bucket: 'abc', keys: ['a'], prefix: 'b' }],
    [{ kind: 'delete', bucket: 'abc', keys: Array.from({ length: 10_001 }, String) }],
    [{ kind: 'delete', bucket: 'abc', prefix: '', class: 1 }],
    [{ kind: 'class', bucket: 'abc', prefix: '' }],
    [{ kind: 'class', bucket: 'abc', prefix: '', class: 4 }],
    [{ kind: 'restore', bucket: 'abc', prefix: '', days: 8 }],
    [{ kind: 'restore', bucket: 'abc', prefix: '', days: '1' }],
    [{ kind: 'copy', bucket: 'abc', prefix: '' }],
    [{ kind: 'copy', bucket: 'abc', prefix: '', to: { bucket: 'abc' } }],
    [{ kind: 'move', bucket: 'abc', prefix: '', to, force: 1 }],
    [{ kind: 'zip', bucket: 'abc', prefix: '', zip: { bucket: 'abc', key: '' } }],
  ])('is refused: %j', (body) => {
    expect(() => read(body)).toThrow(Fault);
  });

  test('of any kind is read or refused', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('delete', 'copy', 'zip', 'abc', to));
    const names = fc.constantFrom('kind', 'bucket', 'prefix', 'keys', 'class', 'days', 'to', 'zip', 'force');
    fc.assert(
      fc.property(fc.dictionary(names, value), (body) => {
        try {
          expect(read(body).bucket.length).toBeGreaterThan(2);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});

describe('of a key with limits', () => {
  const asked = (body: object) =>
    bulkPermissions(read({ bucket: 'abc', ...body })).map(
      ({ action, bucket, key, prefix }) => `${action} ${bucket}:${key ?? `${prefix}*`}`,
    );

  test('all of a prefix is asked, and to see its names', () => {
    expect(asked({ kind: 'delete', prefix: 'a/' })).toEqual(['list abc:a/*', 'delete abc:a/*']);
    expect(asked({ kind: 'class', prefix: 'a/', class: 1 })).toEqual(['list abc:a/*', 'write abc:a/*']);
    expect(asked({ kind: 'move', prefix: 'a/', to, force: true })).toEqual([
      'list abc:a/*',
      'read abc:a/*',
      'delete abc:a/*',
      'write other:x/*',
      'delete other:x/*',
    ]);
  });

  test('each name is asked, and where it goes', () => {
    expect(asked({ kind: 'copy', prefix: 'a/', keys: ['a/1'], to })).toEqual([
      'read abc:a/1',
      'write other:x/1',
    ]);
    expect(asked({ kind: 'zip', keys: ['a', 'b'], zip: { bucket: 'other', key: 'z' } })).toEqual([
      'read abc:a',
      'read abc:b',
      'write other:z',
    ]);
  });
});

test('the new key has its prefix in place of the old one', () => {
  expect(targetKey('a/b/c', 'a/', { prefix: 'x/' })).toBe('x/b/c');
  expect(targetKey('a/b/c', '', { prefix: '' })).toBe('a/b/c');
});
