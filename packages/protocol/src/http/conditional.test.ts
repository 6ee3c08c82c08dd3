import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateIfRange, evaluatePreconditions, formatEntityTag, matchesEntityTag } from './conditional.ts';
import { formatHttpDate } from './date.ts';

const etag = '"Fto5o-5ea0sNMlW_75VgGJCv2AcJ"';
const lastModified = 784_111_777;
const object = { etag, lastModified };
const at = (offset: number) => formatHttpDate(lastModified + offset);

describe('entity tags', () => {
  test.each<[string, boolean, boolean]>([
    // header, strong, weak
    [etag, true, true],
    [`W/${etag}`, false, true],
    ['*', true, true],
    [`"a", ${etag}`, true, true],
    [`"a,b",,${etag} , "c"`, true, true],
    [`"a", W/${etag}`, false, true],
    ['"other"', false, false],
    [etag.slice(1, -1), false, false],
    [`x ${etag}`, false, false],
    ['"*"', false, false],
    ['', false, false],
    [`"a" ${etag}`, false, false],
    [etag.toLowerCase(), false, false],
  ])('%s', (header, strong, weak) => {
    expect([matchesEntityTag(header, etag, 'strong'), matchesEntityTag(header, etag, 'weak')]).toEqual([
      strong,
      weak,
    ]);
  });

  test('a weak validator of ours never matches strongly', () => {
    expect(matchesEntityTag('W/"a"', 'W/"a"', 'strong')).toBe(false);
    expect(matchesEntityTag('"a"', 'W/"a"', 'weak')).toBe(true);
  });

  test('a tag is found wherever it stands in a list', () => {
    const tag = fc.stringMatching(/^[!#-~]{0,20}$/).map(formatEntityTag);
    fc.assert(
      fc.property(fc.array(tag), fc.array(tag), (before, after) => {
        expect(matchesEntityTag([...before, etag, ...after].join(', '), etag, 'strong')).toBe(true);
        expect(matchesEntityTag(before.join(','), etag, 'weak')).toBe(before.includes(etag));
      }),
    );
  });
});

describe('precedence', () => {
  test.each<[string, Parameters<typeof evaluatePreconditions>[0], ReturnType<typeof evaluatePreconditions>]>([
    ['no condition', {}, 'proceed'],
    ['If-Match holds', { ifMatch: etag }, 'proceed'],
    ['If-Match fails', { ifMatch: '"x"' }, 'preconditionFailed'],
    ['If-Match beats If-Unmodified-Since', { ifMatch: etag, ifUnmodifiedSince: at(-10) }, 'proceed'],
    ['unmodified since', { ifUnmodifiedSince: at(0) }, 'proceed'],
    ['modified since', { ifUnmodifiedSince: at(-1) }, 'preconditionFailed'],
    ['bad date is ignored', { ifUnmodifiedSince: 'yesterday' }, 'proceed'],
    ['If-None-Match holds', { ifNoneMatch: `W/${etag}` }, 'notModified'],
    ['If-None-Match *', { ifNoneMatch: '*' }, 'notModified'],
    ['If-None-Match beats If-Modified-Since', { ifNoneMatch: '"x"', ifModifiedSince: at(10) }, 'proceed'],
    ['not modified since', { ifModifiedSince: at(0) }, 'notModified'],
    ['modified since then', { ifModifiedSince: at(-1) }, 'proceed'],
    ['bad If-Modified-Since is ignored', { ifModifiedSince: '0' }, 'proceed'],
    ['If-Match and If-None-Match', { ifMatch: etag, ifNoneMatch: etag }, 'notModified'],
  ])('%s', (_, headers, result) => expect(evaluatePreconditions(headers, object)).toBe(result));
});

test('If-Range lets the range count only for the very same object', () => {
  expect(evaluateIfRange(undefined, object)).toBe(true);
  expect(evaluateIfRange(etag, object)).toBe(true);
  expect(evaluateIfRange(`W/${etag}`, object)).toBe(false);
  expect(evaluateIfRange('"x"', object)).toBe(false);
  expect(evaluateIfRange(at(0), object)).toBe(true);
  expect(evaluateIfRange(at(1), object)).toBe(false);
  expect(evaluateIfRange('nonsense', object)).toBe(false);
  expect(evaluateIfRange('W/"a"', { etag: 'W/"a"', lastModified })).toBe(false);
});
