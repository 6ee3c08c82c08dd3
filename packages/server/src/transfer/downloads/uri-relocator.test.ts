import { expect, test } from 'vitest';
import { UriRelocator } from './uri-relocator.ts';

const place = {
  prefix: undefined,
  host: 'io.test:8100',
  path: '/videos/a/b/list.m3u8',
  roots: new Map([
    ['io.test:8100', '/videos/'],
    ['own.test', '/'],
  ]),
};
/** Where the browser asks for it: the console serves the bucket's path below its own. */
const asked = (uri: string) => new URL(uri, 'https://console.test/call/io/videos/a/b/list.m3u8').href;
const OWN = 'https://console.test/call/io/videos/';

test.each([
  ['000.ts', 'a/b/000.ts'],
  ['../x%20y.ts', 'a/x%20y.ts'],
  ['/videos/c:d.ts', 'c:d.ts'],
  ['http://io.test:8100/videos/c.ts?v=1&e=5&token=old:x', 'c.ts?v=1'],
  ['https://own.test/a//c.ts', 'a//c.ts'],
  ['http://own.test//c.ts', '/c.ts'],
])('%s is asked for on the console’s origin', (uri, expected) => {
  expect(asked(new UriRelocator(place).write(uri, 'file'))).toBe(OWN + expected);
});

test('at the top of the bucket, and nested playlists with the command', () => {
  const top = new UriRelocator({ ...place, path: '/videos/list.m3u8' });
  expect(top.write('c:d.ts', 'file')).toBe('c:d.ts');
  expect(top.write('./c:d.ts', 'file')).toBe('./c:d.ts');
  expect(top.write('low/list.m3u8', 'playlist')).toBe('./low/list.m3u8?pm3u8/0');
});

test.each(['https://other.test/a.ts', '/elsewhere/a.ts', 'data:text/plain,x', '/videos/'])(
  '%s stays as it is',
  (uri) => {
    expect(new UriRelocator(place).write(uri, 'file')).toBe(uri);
  },
);

test('a prefix of the command bounds what is written', () => {
  const bounded = new UriRelocator({ ...place, prefix: 'a/' });
  expect(bounded.write('/videos/c.ts', 'file')).toBe('/videos/c.ts');
  expect(bounded.write('low.m3u8', 'playlist')).toMatch(/^\.\.\/\.\.\/a\/b\/low\.m3u8\?pm3u8\/0\/prefix\//);
});
