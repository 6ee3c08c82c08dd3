import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../test/arbitraries.ts';
import { foldEmail, isEmailAddress } from './email.ts';

const LETTERS = Array.from('abcXYZ019äéßжあ水');
const NAME_MARKS = Array.from("!#$%&'*+/=?^_`{|}~-.");
const label = fc
  .tuple(
    fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 20 }),
    fc.array(fc.constantFrom(...LETTERS, '-'), { maxLength: 20 }),
    fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 20 }),
  )
  .map((parts) => parts.flat().join(''));
const name = fc
  .array(fc.constantFrom(...LETTERS, ...NAME_MARKS), { minLength: 1, maxLength: 64 })
  .map((characters) => characters.join(''));
const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));

describe('an e-mail address', () => {
  test.each([
    'a@b',
    'ada@example.com',
    'ada.lovelace+pond@mail.example.co',
    "o'neill@example.com",
    'ädä@münchen.example',
    'dev@localhost',
    'a@xn--mnchen-3ya.example',
    'a@1.example',
  ])('%s', (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });

  test('is a name, an @ and labels with dots between them', () => {
    fc.assert(
      fc.property(name, host, (before, behind) => {
        expect(isEmailAddress(`${before}@${behind}`)).toBe(true);
      }),
    );
  });
});

describe('is none:', () => {
  test.each([
    '',
    '@',
    'a',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b c',
    ' a@b.co',
    'a@b.co ',
    'a@b.co\n',
    'a@b\0.co',
    'a@b..c',
    'a@b.',
    'a@.b',
    'a@.',
    'a@b,c',
    'a,b@c.co',
    '<a@b.co>',
    'Ada <a@b.co>',
    'a@-b.com',
    'a@b-.com',
    'a@b.-c',
    'a@b_c.co',
    'a@[127.0.0.1]',
    '"a b"@c.co',
    'a@b.co;c@d.co',
    'a(x)@b.co',
    'mailto:a@b.co',
    'a\u200b@b.co',
    'a\u202e@b.co',
    'a@b。c',
    `${'x'.repeat(65)}@b`,
    `a@${'x'.repeat(64)}.co`,
    `a@${'x.'.repeat(95)}co`,
    // One letter each, which NFKC makes several words of, with spaces between them, or too many letters.
    '\ufdfa@b.co',
    `${'\ufb03'.repeat(30)}@b.co`,
    'a@\ufdfa.co',
  ])('%j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  test('whatever has a character between its labels, or at either end, that no host has', () => {
    const foreign = fc.constantFrom(...'.,;:<>()[]"\\@ \t\r\n\0/_!'.split(''));
    fc.assert(
      fc.property(name, host, foreign, fc.boolean(), (before, behind, wrong, isAtEnd) => {
        const spoilt = isAtEnd ? `${behind}${wrong}` : behind.replace('.', `.${wrong}`);
        fc.pre(spoilt !== behind);
        expect(isEmailAddress(`${before}@${spoilt}`)).toBe(false);
        expect(isEmailAddress(`${before}@${wrong}${behind}`)).toBe(false);
      }),
    );
  });

  test('whatever has a hyphen at the end of a label', () => {
    fc.assert(
      fc.property(name, host, fc.nat(10), (before, behind, which) => {
        const labels = behind.split('.');
        const at = which % labels.length;
        for (const spoilt of [`-${labels[at]}`, `${labels[at]}-`]) {
          expect(isEmailAddress(`${before}@${labels.with(at, spoilt).join('.')}`)).toBe(false);
        }
      }),
    );
  });
});

test('no text makes it slow or throw, and none that passes holds what mail or a log would read otherwise', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      if (isEmailAddress(text)) expect(text).not.toMatch(/[\s<>,;:"()[\]\\\p{C}]/u);
    }),
    { numRuns: 2000 },
  );
});

describe('folded', () => {
  test.each([
    ['Ada@Example.COM', 'ada@example.com'],
    // The sign for kelvin, letters of full width, a ligature, the long s, and letters with their marks apart.
    ['\u212Aate@example.com', 'kate@example.com'],
    ['\uff41\uff44\uff41@example.com', 'ada@example.com'],
    ['o\ufb03ce@example.com', 'office@example.com'],
    ['\u017fun@example.com', 'sun@example.com'],
    ['a\u0308da@example.com', '\u00e4da@example.com'],
    ['\u00c4DA@M\u00dcNCHEN.example', '\u00e4da@m\u00fcnchen.example'],
    ['\u0130@example.com', 'i\u0307@example.com'],
  ])('%s is %s', (given, folded) => {
    expect(foldEmail(given)).toBe(folded);
  });

  test('a text stays as it is when it is folded again, and whatever its case was', () => {
    // Letters whose lower case is longer, and marks that change places.
    const hard = fc.constantFrom(
      ...Array.from('\u0130\u1e9e\u1f88\u2126\u212a\u01c5\u0307\u0323\u031b\u0345\u0301Aa'),
    );
    const text = fc.array(fc.oneof(hard, anyText(1)), { maxLength: 12 });
    fc.assert(
      fc.property(text, (parts) => {
        const folded = foldEmail(parts.join(''));
        expect(foldEmail(folded)).toBe(folded);
      }),
      { numRuns: 1000 },
    );
    for (let code = 0x21; code < 0x7f; code++) {
      const sign = String.fromCharCode(code);
      expect(foldEmail(sign.toUpperCase())).toBe(foldEmail(sign));
    }
  });
});
