import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parameterOf, userOf } from './addresses.ts';
import { SipParseError } from './fault.ts';
import { headerOf, MAX_MESSAGE_BYTES, parseMessage } from './message.ts';
import { formatRequest, formatResponse } from './write.ts';

const anyText = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'));

const lines = [
  'REGISTER sip:34020000002000000001@3402000000 SIP/2.0',
  'Via: SIP/2.0/UDP 192.168.1.9:5060;rport;branch=z9hG4bK1',
  'From: <sip:34020000001320000001@3402000000>;tag=1',
  'To: <sip:34020000001320000001@3402000000>',
  'Call-ID: abc@192.168.1.9',
  'CSeq: 2 REGISTER',
  'Expires: 3600',
];
const request = (changed: readonly string[] = lines, body = '') =>
  Buffer.from(`${changed.join('\r\n')}\r\n\r\n${body}`, 'latin1');
const without = (name: string) => lines.filter((line) => !line.startsWith(`${name}:`));
const read = (bytes: Buffer, stream = false) => {
  const message = parseMessage(bytes, { stream });
  if (message.kind !== 'request') throw new Error('a request was expected');
  return message;
};

describe('a message', () => {
  test('is read, with the short names of headers too', () => {
    const short = lines.map((line) =>
      line
        .replace(/^Via/, 'v')
        .replace(/^From/, 'F')
        .replace(/^Call-ID/, 'i'),
    );
    for (const each of [lines, short]) {
      const message = read(request([...each, 'l: 2'], 'hi there'));
      expect(message).toMatchObject({ method: 'REGISTER', callId: 'abc@192.168.1.9', cseq: { number: 2 } });
      expect(message.body.toString()).toBe('hi');
      expect(userOf(message.from)).toBe('34020000001320000001');
      expect(headerOf(message, 'expires')).toBe('3600');
    }
  });

  test('may have lines that go on in the next one, and several Via in one header', () => {
    const folded = [...without('Via'), 'Via: SIP/2.0/UDP a;branch=1,', ' SIP/2.0/TCP b;branch=2'];
    expect(read(request(folded)).via).toEqual(['SIP/2.0/UDP a;branch=1', 'SIP/2.0/TCP b;branch=2']);
  });

  test.each(['Via', 'From', 'To', 'Call-ID', 'CSeq'])('without %s, or with two of it, is none', (name) => {
    expect(() => parseMessage(request(without(name)))).toThrow(SipParseError);
    const twice = lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line, line] : [line]));
    if (name !== 'Via') expect(() => parseMessage(request(twice))).toThrow(SipParseError);
  });

  test.each([
    ['a body that is cut off', request([...lines, 'Content-Length: 3'], 'hi')],
    ['two lengths', request([...lines, 'Content-Length: 0', 'l: 0'])],
    ['a length that is none', request([...lines, 'Content-Length: -1'])],
    ['another method in CSeq', request([...without('CSeq'), 'CSeq: 2 MESSAGE'])],
    ['a number past 2^31', request([...without('CSeq'), 'CSeq: 4294967296 REGISTER'])],
    ['a line without a colon', request([...lines, 'nothing'])],
    ['a NUL', request([...lines, 'X: a\0b'])],
    ['a bare line feed', request([...lines, 'X: a\nInjected: b'])],
    ['no end', Buffer.from(lines.join('\r\n'))],
    ['65 headers', request([...lines, ...Array.from({ length: 59 }, (_, n) => `X-${n}: 1`)])],
    ['a head of 20 KB', request([...lines, `X: ${'a'.repeat(20_000)}`])],
    ['more bytes than a datagram has', request(lines, 'a'.repeat(MAX_MESSAGE_BYTES))],
    ['another version', request(['REGISTER sip:a@b SIP/3.0', ...lines.slice(1)])],
  ])('with %s is none', (_what, bytes) => {
    expect(() => parseMessage(bytes)).toThrow(SipParseError);
  });

  test('over a connection says its length', () => {
    expect(() => parseMessage(request(), { stream: true })).toThrow(SipParseError);
    expect(read(request([...lines, 'Content-Length: 0']), true).body).toHaveLength(0);
  });

  test('that is answered names itself, where it came from, and whose answer it is', () => {
    const answer = formatResponse(
      read(request()),
      { address: '10.0.0.7', port: 40_000 },
      { status: 200, reason: 'OK' },
      't',
    );
    const parsed = parseMessage(answer, { stream: true });
    expect(parsed).toMatchObject({ kind: 'response', status: 200, callId: 'abc@192.168.1.9' });
    expect(parsed.via).toEqual([
      'SIP/2.0/UDP 192.168.1.9:5060;branch=z9hG4bK1;received=10.0.0.7;rport=40000',
    ]);
    expect(parameterOf(parsed.to, 'tag')).toBe('t');
  });

  test('of ours is read as it was written', () => {
    const body = Buffer.from('<a/>');
    const headers = lines.slice(1, 5).map((line) => line.split(': ') as [string, string]);
    const bytes = formatRequest({
      method: 'MESSAGE',
      uri: 'sip:a@b',
      headers: [...headers, ['CSeq', '1 MESSAGE']],
      content: { type: 'Application/MANSCDP+xml', body },
    });
    expect(read(bytes, true)).toMatchObject({ method: 'MESSAGE', uri: 'sip:a@b', body });
  });
});

/** Bytes that look like SIP more often than chance would make them. */
const hostileBytes = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(
      fc.array(fc.oneof(fc.constantFrom(...lines), anyText(60)), {
        maxLength: 20,
      }),
      fc.string({ maxLength: 200 }),
    )
    .map(([some, body]) => request(some, body)),
  fc.tuple(fc.nat(400), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(([at, bytes]) => {
    const whole = Buffer.from(request([...lines, 'Content-Length: 4'], 'abcd'));
    whole.set(bytes.subarray(0, Math.max(0, whole.length - at)), Math.min(at, whole.length));
    return whole;
  }),
);

test('no bytes make the parser throw anything but its own fault, and what it read can be answered', () => {
  fc.assert(
    fc.property(hostileBytes, fc.boolean(), (bytes, stream) => {
      try {
        const message = parseMessage(bytes, { stream });
        for (const value of [message.from, message.to, ...message.via])
          for (const name of ['tag', 'branch']) {
            userOf(value);
            parameterOf(value, name);
          }
        if (message.kind !== 'request') return;
        const answer = formatResponse(
          message,
          { address: '1.2.3.4', port: 5 },
          { status: 400, reason: 'No' },
          'x',
        );
        // Nothing of the sender's becomes a line of its own.
        const head = answer.toString('latin1').split('\r\n\r\n')[0] ?? '';
        expect(head.split('\r\n')).toHaveLength(7 + message.via.length);
      } catch (error) {
        if (!(error instanceof SipParseError)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});
