import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { formatAttachment } from './disposition.ts';

test.each([
  [undefined, 'attachment'],
  ['', 'attachment'],
  ['a b.txt', 'attachment; filename="a b.txt"'],
  ['世界.txt', `attachment; filename="__.txt"; filename*=UTF-8''%E4%B8%96%E7%95%8C.txt`],
  ['a"b%41.txt', `attachment; filename="a_b_41.txt"; filename*=UTF-8''a%22b%2541.txt`],
  ["it's (1)*世", `attachment; filename="it's (1)*_"; filename*=UTF-8''it%27s%20%281%29%2A%E4%B8%96`],
  ['../etc/passwd', 'attachment; filename=".._etc_passwd"'],
  ['a\r\nSet-Cookie: x', 'attachment; filename="a__Set-Cookie: x"'],
  ['😀', `attachment; filename="_"; filename*=UTF-8''%F0%9F%98%80`],
])('%j', (name, header) => expect(formatAttachment(name)).toBe(header));

test('any name gives one header of printable ASCII, whose extended form is the name', () => {
  fc.assert(
    fc.property(anyText(10), (name) => {
      const header = formatAttachment(name);
      expect(header).toMatch(
        /^attachment(?:; filename="[^"\\]*"(?:; filename\*=UTF-8''[A-Za-z0-9!%._~-]+)?)?$/,
      );
      expect(header).toMatch(/^[\x20-\x7e]*$/);
      const extended = /\*=UTF-8''(.*)$/.exec(header)?.[1];
      if (extended !== undefined)
        expect(decodeURIComponent(extended)).toBe(name.replace(/[\p{Cc}/\\]/gu, '_'));
    }),
  );
});
