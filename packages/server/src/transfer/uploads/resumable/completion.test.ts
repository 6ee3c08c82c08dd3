import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCompletion } from './completion.ts';

const PREFIX = 'x-svc-meta-';
const read = (value: unknown) => readCompletion(Buffer.from(JSON.stringify(value)), PREFIX);
const parts = [{ partNumber: 1, etag: 'a' }];

test('everything that a completion may say is read', () => {
  const request = read({
    parts: [
      { partNumber: 2, etag: 'a', extra: true },
      { partNumber: 10_000, etag: 'b' },
    ],
    fname: 'f.txt',
    mimeType: 'text/plain',
    metadata: { 'X-Svc-Meta-Colour': 'blue' },
    customVars: { 'x:a': '1', b: 'not one' },
    unknown: 1,
  });
  expect(request).toEqual({
    parts: [
      { partNumber: 2, etag: 'a' },
      { partNumber: 10_000, etag: 'b' },
    ],
    fname: 'f.txt',
    mimeType: 'text/plain',
    metadata: { Colour: 'blue' },
    customVars: { 'x:a': '1' },
  });
});

test('what is empty or null counts as not said', () => {
  const nothing = { fname: undefined, mimeType: undefined, metadata: {}, customVars: {} };
  expect(read({ parts, fname: '', mimeType: null, metadata: null })).toEqual({ parts, ...nothing });
});

describe('refused:', () => {
  test.each<[string, unknown]>([
    ['no object', []],
    ['null', null],
    ['no parts', {}],
    ['an empty list of parts', { parts: [] }],
    ['parts that are no list', { parts: { 0: parts[0] } }],
    ['a part that is null', { parts: [null] }],
    ['a part without an etag', { parts: [{ partNumber: 1 }] }],
    ['a part without a number', { parts: [{ etag: 'a' }] }],
    ['a number as text', { parts: [{ partNumber: '1', etag: 'a' }] }],
    ['a broken number', { parts: [{ partNumber: 1.5, etag: 'a' }] }],
    ['number 0', { parts: [{ partNumber: 0, etag: 'a' }] }],
    ['descending numbers', { parts: [...parts, ...parts] }],
    [
      'more parts than there can be',
      { parts: Array.from({ length: 10_001 }, (_, i) => ({ partNumber: i + 1, etag: '' })) },
    ],
    ['a name that is no text', { parts, fname: 1 }],
    ['a name that is not Unicode', { parts, fname: '\ud800' }],
    ['metadata under another prefix', { parts, metadata: { 'x-other-a': 'b' } }],
    ['metadata twice', { parts, metadata: { [`${PREFIX}a`]: '1', [`${PREFIX.toUpperCase()}a`]: '2' } }],
    ['metadata that is no text', { parts, metadata: { [`${PREFIX}a`]: 1 } }],
    ['a list of variables', { parts, customVars: ['x:a'] }],
    [
      'too many variables',
      { parts, customVars: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`x:${i}`, ''])) },
    ],
  ])('%s', (_, value) => {
    expect(() => read(value)).toThrow(Fault);
  });

  test('what is not JSON, or not UTF-8', () => {
    for (const text of ['', '{', 'parts'])
      expect(() => readCompletion(Buffer.from(text), PREFIX)).toThrow(Fault);
    const latin1 = Buffer.from(JSON.stringify({ parts, fname: 'é' }), 'latin1');
    expect(() => readCompletion(latin1, PREFIX)).toThrow(Fault);
  });
});

function onlyFaults(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(error.status).toBe(400);
  }
}

test('whatever is sent, nothing but a 400 comes of it', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => onlyFaults(() => readCompletion(bytes, PREFIX))));
  fc.assert(fc.property(fc.jsonValue(), (value) => onlyFaults(() => read(value))));
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constant(parts),
    fc.constant({ [`${PREFIX}a`]: 'b', __proto__: 'c' }),
  );
  const body = fc.record(
    { parts: odd, fname: odd, mimeType: odd, metadata: odd, customVars: odd },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(body, (value) => onlyFaults(() => read(value))));
});

test('any ascending list of parts is read as it is', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(numbers, (list) => {
      const given = list
        .toSorted((a, b) => a - b)
        .map((partNumber) => ({ partNumber, etag: `e${partNumber}` }));
      expect(read({ parts: given }).parts).toEqual(given);
    }),
  );
});
