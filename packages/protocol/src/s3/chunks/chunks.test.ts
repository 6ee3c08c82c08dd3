import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashing } from '../../../test/hashing.ts';
import { type ChunkedOptions, SCOPE, writeChunks } from '../../../test/s3-chunks.ts';
import { codeOf, s3FaultOf } from '../../../test/s3-faults.ts';
import { DATE, KEY, signingKey } from '../../../test/s3-signer.ts';
import { S3Fault } from '../fault.ts';
import type { ChunkSigning } from '../sigv4/verify.ts';
import { ChunkDecoder, type ChunkOptions } from './decoder.ts';

const SEED = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9';
const signingFrom = (seed: string): ChunkSigning => ({
  accessKey: KEY,
  signingKey: signingKey(),
  date: DATE,
  scope: SCOPE,
  seed,
});
const TRAILER: [string, string] = ['x-amz-checksum-crc32', 'LWygrQ=='];

function decode(body: Uint8Array, options: ChunkOptions, cuts: readonly number[] = []) {
  const decoder = new ChunkDecoder(hashing, options);
  const slices: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts, body.length]) {
    slices.push(...decoder.push(body.subarray(from, cut)));
    from = cut;
  }
  return { trailers: decoder.finish(), data: Buffer.concat(slices), decoder };
}

describe("Amazon's examples", () => {
  const chunks = [Buffer.alloc(65_536, 'a'), Buffer.alloc(1024, 'a')];

  test('signed chunks', () => {
    const { body, signatures } = writeChunks(chunks, { seed: SEED });
    expect(body.length).toBe(66_824);
    expect(signatures).toEqual([
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ]);
    const { data } = decode(body, { signing: signingFrom(SEED), decodedLength: 66_560 });
    expect(data.equals(Buffer.alloc(66_560, 'a'))).toBe(true);
  });

  test.each([
    ['\r\n', 66_946],
    ['\n\r\n', 66_947],
  ])('[S18] signed chunks and a signed trailer that ends with %j', (lineEnd, length) => {
    const seed = '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e';
    const trailers: [string, string][] = [['x-amz-checksum-crc32c', 'sOO8/Q==']];
    const { body, signatures } = writeChunks(chunks, { seed, trailers, lineEnd });
    expect(body.length).toBe(length);
    expect(signatures.at(-2)).toBe('2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992');
    expect(signatures.at(-1)).toBe('d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435');
    const options = {
      signing: signingFrom(seed),
      trailers: ['x-amz-checksum-crc32c'],
      decodedLength: 66_560,
    };
    expect(decode(body, options).trailers).toEqual(new Map(trailers));
  });

  test('an unsigned body with a trailer', () => {
    const body = Buffer.from('10\r\nHello, Millpond!\r\n0\r\nx-amz-checksum-crc32:LWygrQ==\r\n\r\n');
    expect(body.length).toBe(58);
    const { data, trailers } = decode(body, { trailers: ['x-amz-checksum-crc32'], decodedLength: 16 });
    expect(data.toString()).toBe('Hello, Millpond!');
    expect(trailers.get('x-amz-checksum-crc32')).toBe('LWygrQ==');
  });
});

const forms: [string, ChunkedOptions, ChunkOptions][] = [
  ['signed', { seed: SEED }, { signing: signingFrom(SEED) }],
  [
    'signed with trailers',
    { seed: SEED, trailers: [TRAILER], lineEnd: '\n\r\n' },
    { signing: signingFrom(SEED), trailers: [TRAILER[0]] },
  ],
  ['unsigned', {}, {}],
  ['unsigned with trailers', { trailers: [TRAILER] }, { trailers: [TRAILER[0]] }],
];
/** The first is as small as may be. */
const abc = [Buffer.alloc(8192, 'abc'), Buffer.from('defghijklmnopq\r\n0\r\n')];

describe.each(forms)('a body that is %s', (_, written, read) => {
  const { body } = writeChunks(abc, written);
  const whole = Buffer.concat(abc);
  const options = { ...read, decodedLength: whole.length };

  test('[S16] split at every byte gives the same object', () => {
    const wrong: number[] = [];
    for (let cut = 0; cut <= body.length; cut++)
      if (!decode(body, options, [cut]).data.equals(whole)) wrong.push(cut);
    expect(wrong).toEqual([]);
    const everywhere = Array.from(body, (_byte, at) => at);
    expect(decode(body, options, everywhere).data.equals(whole)).toBe(true);
  });

  test('its data comes out as slices, not as copies', () => {
    const decoder = new ChunkDecoder(hashing, options);
    for (const slice of decoder.push(body)) expect(slice.buffer).toBe(body.buffer);
    expect(decoder.decoded).toBe(whole.length);
  });

  test('[S19] [S20] 0 bytes, 1 byte, 1 MiB and 1 MiB + 1, also without a decoded length', () => {
    for (const size of [0, 1, 2 ** 20, 2 ** 20 + 1]) {
      const data = Buffer.alloc(size, 'x');
      const chunks = [data.subarray(0, 2 ** 20), data.subarray(2 ** 20)].filter(({ length }) => length > 0);
      for (const decodedLength of [size, undefined])
        expect(decode(writeChunks(chunks, written).body, { ...read, decodedLength }).data.length).toBe(size);
    }
  });

  test('only the last of its chunks may have less than 8 KiB', () => {
    const large = Buffer.alloc(8192, 'x');
    const decoded = (...sizes: readonly number[]) => {
      const chunks = sizes.map((size) => large.subarray(0, size));
      return decode(writeChunks(chunks, written).body, read).data.length;
    };
    expect(decoded(8192, 8192, 1)).toBe(16_385);
    expect(decoded(1)).toBe(1);
    for (const sizes of [
      [8191, 8192],
      [1, 1],
      [8192, 8191, 1],
    ])
      expect(codeOf(() => decoded(...sizes))).toBe('InvalidChunkSizeError');
  });

  test('[S21] a decoded length that is larger or smaller is refused', () => {
    for (const decodedLength of [whole.length - 1, whole.length + 1, 0])
      expect(codeOf(() => decode(body, { ...read, decodedLength }))).toBe('IncompleteBody');
  });

  test('[S24] a body that ends too early or goes on after its end is refused', () => {
    const codes = new Set<string | undefined>();
    for (let end = 0; end < body.length; end++)
      codes.add(codeOf(() => decode(body.subarray(0, end), options)));
    expect([...codes]).toEqual(['IncompleteBody']);
    expect(codeOf(() => decode(Buffer.concat([body, Buffer.from('x')]), options))).toBe('IncompleteBody');
  });

  test('[S17] changed anywhere, it is refused or means the same', () => {
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(255), fc.nat(2), (at, byte, removed) => {
        const changed = Buffer.concat([body.subarray(0, at), Buffer.of(byte), body.subarray(at + removed)]);
        const fault = s3FaultOf(() => {
          const { data, trailers } = decode(changed, options, [at]);
          // Without signatures only the framing is judged; the checksum judges the rest.
          if (read.signing === undefined) return;
          expect(data.equals(whole)).toBe(true);
          expect([...trailers]).toEqual(written.trailers ?? []);
        });
        if (fault !== undefined)
          expect([
            'IncompleteBody',
            'InvalidChunkSizeError',
            'SignatureDoesNotMatch',
            'MalformedTrailerError',
          ]).toContain(fault.code);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('signatures', () => {
  const good = writeChunks(abc, { seed: SEED, trailers: [TRAILER] });
  const options = { signing: signingFrom(SEED), trailers: [TRAILER[0]] };
  const text = good.body.toString('latin1');
  const judge = (changed: string) => s3FaultOf(() => decode(Buffer.from(changed, 'latin1'), options));

  test('[S17] changed data of the second chunk is found, though the first was good, and the answer says what was signed', () => {
    const fault = judge(text.replace('defg', 'defG'));
    expect(fault?.code).toBe('SignatureDoesNotMatch');
    expect(fault?.details.StringToSign).toContain(good.signatures[0] ?? 'none');
    expect(fault?.details.AWSAccessKeyId).toBe(KEY);
  });

  test('chunks in another order, a chunk left out, a signature of another request', () => {
    const [first = '', second = ''] = text.split(/(?<=\r\n)(?=13;|0;)/);
    for (const changed of [text.replace(first + second, second + first), text.replace(second, '')])
      expect(judge(changed)?.code).toBe('SignatureDoesNotMatch');
    const other = { ...options, signing: signingFrom(SEED.replace('4', '5')) };
    expect(codeOf(() => decode(good.body, other))).toBe('SignatureDoesNotMatch');
  });

  test('a trailer that was changed, or whose signature is missing', () => {
    expect(judge(text.replace('LWygrQ==', 'AAAAAA=='))?.code).toBe('SignatureDoesNotMatch');
    expect(judge(text.replace(/x-amz-trailer-signature:\w+\r\n/, ''))?.code).toBe('SignatureDoesNotMatch');
  });
});

describe('framing', () => {
  const refused = (body: string, options: ChunkOptions = {}) =>
    codeOf(() => decode(Buffer.from(body), options));

  test('[S22] a size of ffffffffffffffff and a header of 1 MB are refused at once', () => {
    const decoder = new ChunkDecoder(hashing, {});
    expect(codeOf(() => decoder.push(Buffer.from('ffffffffffffffff\r\n')))).toBe('IncompleteBody');
    const long = new ChunkDecoder(hashing, {});
    expect(codeOf(() => long.push(Buffer.alloc(5000, '0')))).toBe('IncompleteBody');
    const slow = new ChunkDecoder(hashing, {});
    expect(
      codeOf(() => {
        for (let at = 0; at < 5000; at++) slow.push(Buffer.from('0'));
      }),
    ).toBe('IncompleteBody');
    expect(refused('5\r\nhello\r\n0\r\n\r\n', { decodedLength: 4 })).toBe('IncompleteBody');
  });

  test.each([
    '5;a=b\r\nhello\r\n0\r\n\r\n',
    `5;chunk-signature=${'0'.repeat(64)}\r\nhello\r\n0\r\n\r\n`,
    '5 \r\nhello\r\n0\r\n\r\n',
    '5\nhello\n0\n\n',
    '0x5\r\nhello\r\n0\r\n\r\n',
    '+5\r\nhello\r\n0\r\n\r\n',
    '-5\r\nhello\r\n0\r\n\r\n',
    '\r\nhello\r\n0\r\n\r\n',
    '00000000000000005\r\nhello\r\n0\r\n\r\n',
    '5\r\nhello0\r\n\r\n',
    '6\r\nhello\r\n0\r\n\r\n',
    '4\r\nhello\r\n0\r\n\r\n',
    '5\r\nhello\r\n0\r\n',
    '5\r\nhello\r\n0\r\n\r\n0\r\n\r\n',
    '5\r\nhello\r\n0;x\r\n\r\n',
  ])('[S22] %j is refused', (body) => expect(refused(body)).toBe('IncompleteBody'));

  test('an extension beside the signature is refused', () => {
    const { body } = writeChunks(abc, { seed: SEED });
    const text = body.toString('latin1');
    for (const changed of [text.replace(';chunk', ';a=b;chunk'), text.replace(/(signature=\w+)/, '$1;a=b')])
      expect(refused(changed, { signing: signingFrom(SEED) })).toBe('IncompleteBody');
  });

  test('sizes in capitals and with leading zeros are sizes', () => {
    expect(decode(Buffer.from('00A\r\n0123456789\r\n000\r\n\r\n'), {}).data.length).toBe(10);
  });

  test('trailers must be those that were announced', () => {
    const body = (lines: string) => `0\r\n${lines}\r\n`;
    const announced = { trailers: ['x-amz-checksum-crc32'] };
    for (const lines of [
      '',
      'x-amz-checksum-crc32:a\r\nx-amz-checksum-crc32:a\r\n',
      'x-amz-checksum-crc32:a\r\nx-amz-checksum-sha1:b\r\n',
      'x-amz-checksum-sha1:b\r\n',
      'x-amz-checksum-crc32\r\n',
      'x-amz-checksum-crc32 :a\r\n',
      'x-amz-checksum-crc32:a\n\n\r\n',
      `x-amz-checksum-crc32:a\r\nx-amz-trailer-signature:${'0'.repeat(64)}\r\n`,
    ])
      expect(refused(body(lines), announced)).toBe('MalformedTrailerError');
    expect(refused(body('x-amz-checksum-crc32:a\r\n'))).toBe('MalformedTrailerError');
    expect(
      decode(Buffer.from(body('X-Amz-Checksum-CRC32: a \r\n')), announced).trailers.get(
        'x-amz-checksum-crc32',
      ),
    ).toBe('a');
  });

  test('whatever comes, it is data or an S3Fault', () => {
    const soup = fc.array(
      fc.constantFrom(
        '0',
        '5',
        'a',
        ';',
        'chunk-signature=',
        '\r',
        '\n',
        '\r\n',
        'hello',
        ':',
        'x-amz-checksum-crc32',
        ' ',
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(soup, fc.boolean(), fc.array(fc.nat(50), { maxLength: 3 }), (pieces, signed, cuts) => {
        const body = Buffer.from(pieces.join(''));
        const sorted = cuts.filter((cut) => cut <= body.length).sort((a, b) => a - b);
        const options = {
          trailers: ['x-amz-checksum-crc32'],
          ...(signed ? { signing: signingFrom(SEED) } : {}),
        };
        const outcome = (where: number[]) => {
          try {
            return decode(body, options, where).data.toString();
          } catch (error) {
            expect(error).toBeInstanceOf(S3Fault);
            return (error as S3Fault).code;
          }
        };
        expect(outcome(sorted)).toBe(outcome([]));
      }),
      { numRuns: 3000 },
    );
  });
});
