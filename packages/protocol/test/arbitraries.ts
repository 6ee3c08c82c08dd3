import fc from 'fast-check';

/** Short texts of few characters, where odd combinations come up often. */
export function stringOf(characters: string, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters.split('')), maxLength });
}

/**
 * Well-formed text of any characters. Not fast-check's own `binary` unit: setting that up takes a second per file.
 */
export function anyText(maxLength = 60): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  return fc.array(codePoint, { maxLength }).map((codes) => String.fromCodePoint(...codes));
}
