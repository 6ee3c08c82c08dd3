/** The few forms of DER that a certificate is made of. */
export type Der = Uint8Array;

const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  identifier: 0x06,
  text: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

export function sequence(...items: readonly Der[]): Der {
  return field(TAGS.sequence, Buffer.concat(items));
}

export function setOf(...items: readonly Der[]): Der {
  return field(TAGS.set, Buffer.concat(items));
}

/** For a positive number, most significant byte first. */
export function integer(bytes: Uint8Array): Der {
  // The first bit is the sign.
  const positive = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Uint8Array.of(0), bytes]) : bytes;
  return field(TAGS.integer, positive);
}

export function boolean(value: boolean): Der {
  return field(TAGS.boolean, Uint8Array.of(value ? 0xff : 0));
}

export function bits(bytes: Uint8Array, unused = 0): Der {
  return field(TAGS.bits, Buffer.concat([Uint8Array.of(unused), bytes]));
}

export function octets(bytes: Uint8Array): Der {
  return field(TAGS.octets, bytes);
}

export function text(value: string): Der {
  return field(TAGS.text, Buffer.from(value));
}

/** With a two-digit year, as certificates have it until 2049. */
export function time(value: Date): Der {
  return field(
    TAGS.time,
    Buffer.from(
      value
        .toISOString()
        .slice(2)
        .replace(/[-:T]|\.\d+/g, ''),
    ),
  );
}

/** `2.5.4.3` and the like. */
export function identifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return field(TAGS.identifier, Uint8Array.from([first * 40 + second, ...rest.flatMap(inSevens)]));
}

/** Context tag [n], around other fields. */
export function explicitTag(number: number, ...items: readonly Der[]): Der {
  return field(0xa0 + number, Buffer.concat(items));
}

/** Context tag [n], in place of the value's own tag. */
export function implicitTag(number: number, value: Uint8Array): Der {
  return field(0x80 + number, value);
}

function field(tag: number, value: Uint8Array): Der {
  return Buffer.concat([Uint8Array.from([tag, ...lengthOf(value.length)]), value]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function inSevens(number: number): number[] {
  const low = number & 0x7f;
  return number < 0x80 ? [low] : [...inSevens(number >> 7).map((byte) => byte | 0x80), low];
}
