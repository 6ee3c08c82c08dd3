import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SipParseError } from './fault.ts';
import { formatOffer, parseMediaAnswer } from './sdp.ts';

const offer = {
  serverId: '34020000002000000001',
  address: '192.0.2.1',
  port: 30_000,
  ssrc: '0200001234',
} as const;
const answer = (...lines: readonly string[]) =>
  parseMediaAnswer(Buffer.from(['v=0', 's=Play', ...lines, ''].join('\r\n'), 'latin1'));

describe('an offer', () => {
  test('is as GB/T 28181 has it', () => {
    expect(String(formatOffer({ ...offer, transport: 'udp' }))).toBe(
      [
        'v=0',
        'o=34020000002000000001 0 0 IN IP4 192.0.2.1',
        's=Play',
        'c=IN IP4 192.0.2.1',
        't=0 0',
        'm=video 30000 RTP/AVP 96',
        'a=recvonly',
        'a=rtpmap:96 PS/90000',
        'y=0200001234',
        '',
      ].join('\r\n'),
    );
  });

  test('over TCP waits for the device to connect', () => {
    const lines = String(formatOffer({ ...offer, transport: 'tcp' })).split('\r\n');
    expect(lines).toContain('m=video 30000 TCP/RTP/AVP 96');
    expect(lines).toContain('a=setup:passive');
  });

  test('is read as it was written', () => {
    const transports = fc.constantFrom('udp' as const, 'tcp' as const);
    const offers = fc.record({
      address: fc.oneof(fc.ipV4(), fc.ipV6()),
      port: fc.integer({ min: 1, max: 65_535 }),
      ssrc: fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((number) => String(number).padStart(10, '0')),
      transport: transports,
    });
    fc.assert(
      fc.property(offers, (given) => {
        const { address, port, transport, ssrc } = given;
        expect(parseMediaAnswer(formatOffer({ serverId: offer.serverId, ...given }))).toEqual({
          address,
          port,
          transport,
          payloadType: 96,
          ssrc: Number(ssrc),
        });
      }),
    );
  });
});

describe('an answer', () => {
  test('may name another kind, another number, and an address of the media themselves', () => {
    expect(
      answer(
        'c=IN IP4 10.0.0.1',
        'm=audio 9 RTP/AVP 8',
        'c=IN IP4 10.0.0.2',
        'm=video 5000 RTP/AVP 98 97',
        'c=IN IP4 10.0.0.3',
        'a=rtpmap:98 H264/90000',
        'a=rtpmap:97 PS/90000',
        'y=0000000007',
      ),
    ).toEqual({ address: '10.0.0.3', port: 5000, transport: 'udp', payloadType: 97, ssrc: 7 });
    expect(
      answer('c=IN IP4 10.0.0.1', 'm=video 5000 RTP/AVP 96', 'm=audio 9 RTP/AVP 8', 'c=IN IP4 10.0.0.2'),
    ).toEqual({
      address: '10.0.0.1',
      port: 5000,
      transport: 'udp',
      payloadType: 96,
      ssrc: undefined,
    });
  });

  test.each([
    ['no video', ['c=IN IP4 10.0.0.1', 'm=audio 5000 RTP/AVP 8']],
    ['a port of zero', ['c=IN IP4 10.0.0.1', 'm=video 0 RTP/AVP 96']],
    ['no address', ['m=video 5000 RTP/AVP 96']],
    ['a name for an address', ['c=IN IP4 camera.example', 'm=video 5000 RTP/AVP 96']],
    ['another encoding', ['c=IN IP4 10.0.0.1', 'm=video 5000 RTP/AVP 98', 'a=rtpmap:98 H264/90000']],
    ['another protocol', ['c=IN IP4 10.0.0.1', 'm=video 5000 UDP/TLS 96']],
  ])('with %s is refused', (_what, lines) => {
    expect(() => answer(...lines)).toThrow(SipParseError);
  });

  test('a number of a stream that is none does not count', () => {
    for (const ssrc of ['4294967296', '123', 'x'.repeat(10)])
      expect(answer('c=IN IP4 10.0.0.1', 'm=video 5000 RTP/AVP 96', `y=${ssrc}`).ssrc).toBeUndefined();
  });

  test('of anything at all throws nothing but its own fault', () => {
    const line = fc.constantFrom(
      'c=IN IP4 10.0.0.1',
      'm=video 5000 RTP/AVP 96',
      'a=rtpmap:96 PS/90000',
      'y=0',
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 9000 }).map((all) => Buffer.from(all)),
      fc.array(fc.oneof(line, fc.string())).map((lines) => Buffer.from(lines.join('\r\n'))),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        try {
          parseMediaAnswer(body);
        } catch (error) {
          if (!(error instanceof SipParseError)) throw error;
        }
      }),
    );
  });
});
