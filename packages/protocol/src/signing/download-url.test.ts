import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { unsignedDownloadUrl } from './download-url.ts';

const PLACE = 'https://files.example.com';

test('a key is encoded between its slashes, and the query as little as a URL needs', () => {
  expect(
    unsignedDownloadUrl(PLACE, 'a b/ü?#.jpg', { query: 'imageView2/1/w/200|x "y"', attname: 'é.jpg' }),
  ).toBe(`${PLACE}/a%20b/%C3%BC%3F%23.jpg?imageView2/1/w/200|x%20%22y%22&attname=%C3%A9.jpg`);
  expect(unsignedDownloadUrl(PLACE, 'k', {})).toBe(`${PLACE}/k`);
});

test('a % that encodes nothing, and half a character, are refused', () => {
  for (const query of ['100%', '%zz', '\ud800'])
    expect(() => unsignedDownloadUrl(PLACE, 'k', { query })).toThrow(
      expect.objectContaining({ fault: 'invalidArgument' }),
    );
});

test('what comes out is sent as it is, whatever the key and the query', () => {
  const words = anyText(10).map((text) => text.replaceAll('%', '%25'));
  // Dots alone are segments that every client resolves.
  const key = anyText(10).filter((text) => text !== '' && !/(^|\/)\.{1,2}(\/|$)/.test(text));
  fc.assert(
    fc.property(key, words, (name, query) => {
      const url = unsignedDownloadUrl(PLACE, name, { query });
      expect(new URL(url).href).toBe(url);
    }),
  );
});
