import fc from 'fast-check';

/** Well-formed text of any characters. Not fast-check's own `binary` unit: setting that up takes half a second. */
export function anyText({ minLength = 0, maxLength = 10 } = {}): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  return fc.array(codePoint, { minLength, maxLength }).map((codes) => String.fromCodePoint(...codes));
}
