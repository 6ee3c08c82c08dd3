import { byteWork } from '@millpond/base/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SipParseError } from './fault.ts';
import { MessageFramer } from './message-framer.ts';

const message = (body: string) =>
  Buffer.from(`MESSAGE sip:a@b SIP/2.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

/** What is whole now; blank lines are none. */
function taken(framer: MessageFramer, chunk: Buffer): Buffer[] {
  framer.add(chunk);
  const whole: Buffer[] = [];
  for (let next = framer.next(); next !== undefined; next = framer.next())
    if (next.length > 0) whole.push(next);
  return whole;
}

describe('a connection', () => {
  test('is cut into messages wherever its bytes are cut', () => {
    const bodies = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 300 }), { maxLength: 6 });
    fc.assert(
      fc.property(bodies, fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1 }), (all, sizes) => {
        const whole = Buffer.concat(all.flatMap((body) => [Buffer.from('\r\n\r\n'), message(body)]));
        const framer = new MessageFramer();
        const found: Buffer[] = [];
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          found.push(...taken(framer, whole.subarray(at, at + size)));
          at += size;
        }
        expect(found).toEqual(all.map(message));
        expect(framer.heldBytes).toBe(0);
      }),
    );
  });

  test.each([
    ['a head that does not end', 'a'.repeat(17_000)],
    ['no length', 'MESSAGE sip:a@b SIP/2.0\r\n\r\n'],
    ['two lengths', 'A sip:a@b SIP/2.0\r\nl: 1\r\nContent-Length: 1\r\n\r\n'],
    ['a length that is too great', 'A sip:a@b SIP/2.0\r\nContent-Length: 65536\r\n\r\n'],
    [
      'a message that is too great',
      `A sip:a@b SIP/2.0\r\nContent-Length: 65530\r\n\r\n${'a'.repeat(65_530)}`,
    ],
  ])('with %s is refused', (_what, text) => {
    expect(() => taken(new MessageFramer(), Buffer.from(text))).toThrow(SipParseError);
  });

  test('blank lines are one message without bytes, however many they are', () => {
    const framer = new MessageFramer();
    framer.add(Buffer.concat([Buffer.from('\r\n'.repeat(20_000)), message('a')]));
    expect([framer.next(), framer.next(), framer.next()]).toEqual([Buffer.alloc(0), message('a'), undefined]);
  });

  test('costs as much as it sends: thousands of messages in one piece, and one message in thousands of pieces', () => {
    const cost = (bytes: Buffer, size: number) => {
      const { moved, searched } = byteWork(() => {
        const framer = new MessageFramer();
        for (let at = 0; at < bytes.length; at += size) taken(framer, bytes.subarray(at, at + size));
      });
      return (moved + searched) / bytes.length;
    };
    const least = Buffer.from('l:0\r\n\r\n'.repeat(9362));
    for (const size of [65_536, 1448, 3, 1]) expect(cost(least, size)).toBeLessThan(10);
    const large = message('x'.repeat(65_000));
    for (const size of [65_536, 1448, 3, 1]) expect(cost(large, size)).toBeLessThan(10);
    const head = Buffer.from(`A sip:a@b SIP/2.0\r\n${'x:y\r\n'.repeat(3000)}l:0\r\n\r\n`);
    for (const size of [65_536, 1448, 3, 1]) expect(cost(head, size)).toBeLessThan(10);
  });

  test('never holds more than one message, and throws nothing but its own fault', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.uint8Array({ maxLength: 3000 }), fc.constant(message('x').subarray(0, 30))), {
          maxLength: 60,
        }),
        (chunks) => {
          const framer = new MessageFramer();
          try {
            for (const chunk of chunks) {
              taken(framer, Buffer.from(chunk));
              expect(framer.heldBytes).toBeLessThanOrEqual(65_535);
            }
          } catch (error) {
            if (!(error instanceof SipParseError)) throw error;
          }
        },
      ),
    );
  });
});
