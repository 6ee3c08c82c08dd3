import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '../errors/fault.ts';
import { evaluateScope, formatScope, parseScope, type ScopeRules } from './scope.ts';

function rules(
  scope: string,
  flags: { insertOnly?: true; prefix?: true; keylimit?: string[] } = {},
): ScopeRules {
  return {
    scope: parseScope(scope),
    insertOnly: flags.insertOnly ?? false,
    isPrefixalScope: flags.prefix ?? false,
    keylimit: flags.keylimit,
  };
}

describe('parsing', () => {
  test('splits at the first colon', () => {
    expect(parseScope('b')).toEqual({ bucket: 'b', key: undefined });
    expect(parseScope('b:')).toEqual({ bucket: 'b', key: '' });
    expect(parseScope('b:a:c')).toEqual({ bucket: 'b', key: 'a:c' });
    expect(() => parseScope(':k')).toThrow(Fault);
  });

  test('is the inverse of formatting', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9-]{3,63}$/),
        fc.option(fc.string(), { nil: undefined }),
        (bucket, key) => {
          expect(parseScope(formatScope({ bucket, key }))).toEqual({ bucket, key });
        },
      ),
    );
  });
});

describe('judging', () => {
  const yes = true;
  const no = false;
  test.each<[string, ScopeRules, string, boolean, 'insert' | 'overwrite', 'insert' | 'overwrite']>([
    // scope, key, allowed, mode of a form upload, mode of a multipart upload
    ['bucket', rules('b'), 'any', yes, 'insert', 'overwrite'],
    ['bucket, insertOnly', rules('b', { insertOnly: true }), 'any', yes, 'insert', 'insert'],
    ['key', rules('b:k'), 'k', yes, 'overwrite', 'overwrite'],
    ['another key', rules('b:k'), 'k2', no, 'overwrite', 'overwrite'],
    ['key, insertOnly', rules('b:k', { insertOnly: true }), 'k', yes, 'insert', 'insert'],
    ['prefix', rules('b:p/', { prefix: true }), 'p/x', yes, 'insert', 'insert'],
    ['prefix itself', rules('b:p/', { prefix: true }), 'p/', yes, 'insert', 'insert'],
    ['outside the prefix', rules('b:p/', { prefix: true }), 'q/x', no, 'insert', 'insert'],
    ['prefix in another case', rules('b:p/', { prefix: true }), 'P/x', no, 'insert', 'insert'],
    ['prefix without the flag is a key', rules('b:p/'), 'p/x', no, 'overwrite', 'overwrite'],
    ['empty prefix', rules('b:', { prefix: true }), 'any', yes, 'insert', 'insert'],
    ['empty key', rules('b:'), '', yes, 'overwrite', 'overwrite'],
    ['empty key, but another', rules('b:'), 'x', no, 'overwrite', 'overwrite'],
    ['key with colons', rules('b:a:c'), 'a:c', yes, 'overwrite', 'overwrite'],
    ['composed is not decomposed', rules('b:caf\u00e9'), 'cafe\u0301', no, 'overwrite', 'overwrite'],
    ['keylimit', rules('b', { keylimit: ['x', 'y'] }), 'y', yes, 'insert', 'overwrite'],
    ['not in keylimit', rules('b', { keylimit: ['x', 'y'] }), 'z', no, 'insert', 'overwrite'],
    [
      'in keylimit, outside the prefix',
      rules('b:p/', { prefix: true, keylimit: ['x'] }),
      'x',
      no,
      'insert',
      'insert',
    ],
  ])('%s', (_, scope, key, allowed, form, multipart) => {
    expect(evaluateScope(scope, key, 'form')).toEqual({ allowed, mode: form });
    expect(evaluateScope(scope, key, 'multipart')).toEqual({ allowed, mode: multipart });
  });

  test('without a name yet, only a scope that takes every key says yes', () => {
    expect(evaluateScope(rules('b'), undefined, 'form').allowed).toBe(true);
    expect(evaluateScope(rules('b:', { prefix: true }), undefined, 'form').allowed).toBe(true);
    expect(evaluateScope(rules('b:k'), undefined, 'form').allowed).toBeUndefined();
    expect(evaluateScope(rules('b:p', { prefix: true }), undefined, 'form').allowed).toBeUndefined();
    expect(evaluateScope(rules('b', { keylimit: ['x'] }), undefined, 'form').allowed).toBeUndefined();
  });
});
