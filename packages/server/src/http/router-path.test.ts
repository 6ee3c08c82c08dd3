import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toRouterPath } from './mount.ts';

const any = { kind: 'any' } as const;
const bucket = { kind: 'bucket', bucket: 'photos' } as const;
const domain = { kind: 'domain', domain: 'photos.example.org' } as const;

describe('the router', () => {
  test('sees the path as it is, empty segments and dots included', () => {
    for (const path of ['/', '/stat/abc', '/chgm/e/mime//x', '/b/../c', '/b/']) {
      expect(toRouterPath(path, any)).toBe(path);
    }
  });

  test('sees no query and nothing to decode', () => {
    expect(toRouterPath('/b/a%2Fb%zz?x=%41', any)).toBe('/b/a_2Fb_zz');
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(toRouterPath(`/${text}`, any) ?? '').not.toMatch(/[%?]/);
      }),
    );
  });

  test('sees the host of a download before its path', () => {
    expect(toRouterPath('/a%20b?attname=x', bucket)).toBe('/~bucket/photos/a_20b');
    expect(toRouterPath('/', domain)).toBe('/~domain/photos.example.org/');
  });

  test('sees that it is the console before its path', () => {
    expect(toRouterPath('/call/rs/stat/a%20b?x', { kind: 'console' })).toBe('/~console/call/rs/stat/a_20b');
    expect(toRouterPath('/~console/session', any)).toBeUndefined();
  });

  test('is not told by the path which host it is', () => {
    for (const path of ['/~domain/x/y', '/~bucket/x/y', '/~'])
      expect(toRouterPath(path, any)).toBeUndefined();
    expect(toRouterPath('/%7Edomain/x/y', any)).toBe('/_7Edomain/x/y');
    expect(toRouterPath('/~domain/x/y', bucket)).toBe('/~bucket/photos/~domain/x/y');
  });

  test('finds nothing under a target that is no path', () => {
    for (const target of ['*', 'http://example.org/a', '', '?x']) {
      for (const meaning of [any, bucket, domain]) expect(toRouterPath(target, meaning)).toBeUndefined();
    }
  });
});
