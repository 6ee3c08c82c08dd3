import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../test/arbitraries.ts';
import { faultOf } from '../../test/faults.ts';
import { hashing } from '../../test/hashing.ts';
import { assertSingleLine, parseSignature, signedTarget, signText, verifyText } from './hmac.ts';

const keys = { accessKey: 'ak', secretKey: 'sk' };

describe('signatures', () => {
  test.each([
    ['hello', 'ak:NDN8cM0rwosxhHJ6QAcI7ialr0g='],
    ['world', 'ak:wZ-sw41ayh3PFDmQA-D3o7eBJIY='],
    ['-test', 'ak:oJ59sZasiWSqL1o7ugZs5OInEK4='],
    ['ba#a-', 'ak:tqHL8V2BbNI0dVDXsvueZp_2QnI='],
  ])('of %j is %s', (text, signature) => {
    expect(signText(hashing, keys, [text])).toBe(signature);
  });

  test('of a text alone, with other keys', () => {
    const other = { accessKey: 'abcdefghklmnopq', secretKey: '1234567890' };
    expect(signText(hashing, other, ['test'])).toBe('abcdefghklmnopq:mSNBTR7uS2crJsyFr2Amwv1LaYg=');
  });

  test('pieces are signed as if joined, and characters as bytes', () => {
    const joined = signText(hashing, keys, [Uint8Array.of(0x68, 0xe9, 0xff, 0x6c)]);
    expect(signText(hashing, keys, ['hé', Uint8Array.of(0xff), '', 'l'])).toBe(joined);
  });

  test('what was signed verifies, and nothing else', () => {
    const piece = fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary-ascii' }));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const given = parseSignature(signText(hashing, keys, pieces));
        if (given === undefined) throw new Error('our own signature was not read');
        expect(given.accessKey).toBe('ak');
        expect(verifyText(hashing, 'sk', pieces, given.signature)).toBe(true);
        expect(verifyText(hashing, 'sk2', pieces, given.signature)).toBe(false);
        expect(verifyText(hashing, 'sk', [...pieces, 'x'], given.signature)).toBe(false);
      }),
    );
  });

  test('the secret key may be text or its bytes', () => {
    const given = parseSignature('ak:NDN8cM0rwosxhHJ6QAcI7ialr0g=');
    expect(verifyText(hashing, Buffer.from('sk'), ['hello'], given?.signature ?? new Uint8Array())).toBe(
      true,
    );
  });

  test('padding may be missing', () => {
    const padded = parseSignature('ak:NDN8cM0rwosxhHJ6QAcI7ialr0g=');
    expect(padded?.signature).toHaveLength(20);
    expect(parseSignature('ak:NDN8cM0rwosxhHJ6QAcI7ialr0g')).toEqual(padded);
  });

  test.each([
    'ak',
    ':NDN8cM0rwosxhHJ6QAcI7ialr0g=',
    'ak:',
    'ak:NDN8cM0rwosxhHJ6QAcI7ialr0',
    'ak:NDN8cM0rwosxhHJ6QAcI7ialr0gA',
    'ak:NDN8cM0rwosxhHJ6QAcI7ialr0h=',
    'ak:NDN8cM0rwosxhHJ6QAcI7ialr+g=',
    'ak:ak:NDN8cM0rwosxhHJ6QAcI7ialr0g=',
    ' ak:NDN8cM0rwosxhHJ6QAcI7ialr0g=',
    'ak:NDN8cM0rwosxhHJ6QAcI7ialr0g= ',
    "a'k:NDN8cM0rwosxhHJ6QAcI7ialr0g=",
    'a\0k:NDN8cM0rwosxhHJ6QAcI7ialr0g=',
    `${'a'.repeat(129)}:NDN8cM0rwosxhHJ6QAcI7ialr0g=`,
  ])('%j is no signature', (text) => {
    expect(parseSignature(text)).toBeUndefined();
  });

  test('no text makes the reader throw', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        parseSignature(text);
        parseSignature(`ak:${text}`);
      }),
    );
  });
});

describe('lines of a text to sign', () => {
  test('a line break or a wide character is refused', () => {
    expect(assertSingleLine('/é?\t')).toBe('/é?\t');
    for (const text of ['a\nb', 'a\rb', '\u0100', '七']) {
      expect(faultOf(() => assertSingleLine(text))).toBe('invalidArgument');
    }
  });

  test('only the question mark of an empty query is left out', () => {
    expect(signedTarget('/a?')).toBe('/a');
    expect(signedTarget('/a?b?')).toBe('/a?b?');
    expect(signedTarget('/a?b')).toBe('/a?b');
    expect(signedTarget('/a')).toBe('/a');
    expect(signedTarget('')).toBe('');
  });
});
