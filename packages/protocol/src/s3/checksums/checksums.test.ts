import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashing } from '../../../test/hashing.ts';
import { codeOf, s3FaultOf } from '../../../test/s3-faults.ts';
import {
  type ChecksumAlgorithm,
  checksumAlgorithms,
  checksumElement,
  checksumHeader,
  checksumTypeOf,
  createChecksum,
  encodeChecksum,
  parseChecksumAlgorithm,
} from './algorithms.ts';
import { type CrcAlgorithm, combineCrcs } from './combine.ts';
import { checksumOfParts, isChecksumOfObject } from './parts.ts';
import {
  announcedTrailers,
  checkPartAlgorithm,
  readChecksumValue,
  readContentMd5,
  readGivenChecksum,
  verifyChecksum,
  verifyContentMd5,
} from './request.ts';

function checksumOf(algorithm: ChecksumAlgorithm, bytes: Uint8Array, cuts: readonly number[] = []): string {
  const running = createChecksum(hashing, algorithm);
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    running.update(bytes.subarray(from, cut));
    from = cut;
  }
  return encodeChecksum(running.digest());
}

test.each<[ChecksumAlgorithm, string, string, string]>([
  ['CRC32', 'y/Q5Jg==', 'AAAAAA==', 'DUoRhQ=='],
  ['CRC32C', '4waSgw==', 'AAAAAA==', 'yZRlqg=='],
  ['CRC64NVME', 'rosUhgp5mIg=', 'AAAAAAAAAAA=', 'jSnVw/bqjr4='],
  ['SHA1', '98O8HYCOBHMq32eZZczDTKeuNEE=', '2jmj7l5rSw0yVb/vlWAYkK/YBwk=', 'Kq5sNclPz7QV2+lfQIuc6R7oRu0='],
  [
    'SHA256',
    'FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=',
    '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=',
  ],
])('[S28] %s of 123456789, of nothing and of hello world', (algorithm, digits, nothing, hello) => {
  expect(checksumOf(algorithm, Buffer.from('123456789'))).toBe(digits);
  expect(checksumOf(algorithm, Buffer.alloc(0))).toBe(nothing);
  expect(checksumOf(algorithm, Buffer.from('hello world'))).toBe(hello);
});

test('1,024 times A', () => {
  const bytes = Buffer.alloc(1024, 'A');
  expect(checksumOf('SHA256', bytes)).toBe('arcu6553sHVAiX4MjW0j7I7vD4w6R+Gz9Ok0Q9lTa+0=');
  expect(checksumOf('CRC64NVME', bytes)).toBe('Qeh8oXvGiSo=');
});

describe('[S29] three parts of 5 MiB', () => {
  const parts = ['A', 'B', 'C'].map((letter) => Buffer.alloc(5 * 2 ** 20, letter));

  test.each<[ChecksumAlgorithm, string[], 'FULL_OBJECT' | 'COMPOSITE', string]>([
    ['CRC32', ['JRTCyQ==', 'QoZTGg==', 'YAgjqw=='], 'FULL_OBJECT', 'WgDhBQ=='],
    ['CRC32C', ['MDaLrw==', 'TH4EZg==', 'Z7mBIQ=='], 'FULL_OBJECT', 'xU+Krw=='],
    ['CRC64NVME', ['L/E4WYn8v98=', 'xW1l19VobYM=', 'cK5MnNaWrW4='], 'FULL_OBJECT', 'i+6LR0y3eFo='],
    [
      'SHA1',
      ['iIaTCGbm+vdVjNqIMF2S0T7ibMk=', 'LS/TJ32bAVKEwRu+sE3X7awh/lk=', '6DDwovUaHwrKNXDMzOGbuvj9kxI='],
      'COMPOSITE',
      'sizjvY4eud3MrcHdZM3cQ/ol39o=-3',
    ],
    [
      'SHA256',
      [
        '275VF5loJr1YYawit0XSHREhkFXYkkPKGuoK0x9VKxI=',
        'mrHwOfjTL5Zwfj74F05HOQGLdUb7E5szdCbxgUSq6NM=',
        'Vw7oB/nKQ5xWb3hNgbyfkvDiivl+U+/Dft48nfJfDow=',
      ],
      'COMPOSITE',
      'uWBwpe1dxI4Vw8Gf0X9ynOdw/SS6VBzfWm9giiv1sf4=-3',
    ],
  ])('%s', (algorithm, values, type, whole) => {
    expect(parts.map((bytes) => checksumOf(algorithm, bytes))).toEqual(values);
    const sized = values.map((value) => ({ value, size: 5 * 2 ** 20 }));
    expect(checksumOfParts(hashing, algorithm, type, sized)).toBe(whole);
    if (type === 'FULL_OBJECT') expect(checksumOf(algorithm, Buffer.concat(parts))).toBe(whole);
  });

  test('SHA has no value over all bytes from its parts, and a value that is none combines to none', () => {
    expect(checksumOfParts(hashing, 'SHA1', 'FULL_OBJECT', [])).toBeUndefined();
    expect(checksumOfParts(hashing, 'CRC32', 'FULL_OBJECT', [{ value: 'AAAA', size: 1 }])).toBeUndefined();
    expect(checksumOfParts(hashing, 'CRC32', 'COMPOSITE', [{ value: 'AAAA', size: 1 }])).toBeUndefined();
  });
});

describe('for any bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 200 });

  test('a checksum is the same however the bytes were cut, and wherever they lie in memory', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...checksumAlgorithms),
        bytes,
        fc.nat(200),
        fc.nat(7),
        (algorithm, data, cut, offset) => {
          const moved = new Uint8Array(data.length + offset).subarray(offset);
          moved.set(data);
          const whole = checksumOf(algorithm, data);
          expect(checksumOf(algorithm, moved, [Math.min(cut, data.length)])).toBe(whole);
        },
      ),
    );
  });

  test('CRCs of parts combine to that of the whole', () => {
    const crc = fc.constantFrom<CrcAlgorithm>('CRC32', 'CRC32C', 'CRC64NVME');
    fc.assert(
      fc.property(crc, fc.array(bytes, { maxLength: 5 }), (algorithm, pieces) => {
        const parts = pieces.map((piece) => ({ value: checksumOf(algorithm, piece), size: piece.length }));
        expect(combineCrcs(algorithm, parts)).toBe(checksumOf(algorithm, Buffer.concat(pieces)));
      }),
    );
  });

  test("CRC32 is zlib's", () => {
    fc.assert(
      fc.property(bytes, (data) => {
        expect(Buffer.from(checksumOf('CRC32', data), 'base64').readUInt32BE()).toBe(crc32(data));
      }),
    );
  });
});

describe('names and types', () => {
  test('of headers, elements and algorithms', () => {
    expect(checksumHeader('CRC64NVME')).toBe('x-amz-checksum-crc64nvme');
    expect(checksumElement('SHA256')).toBe('ChecksumSHA256');
    expect(parseChecksumAlgorithm('crc32c')).toBe('CRC32C');
    for (const name of ['MD5', 'XXHASH64', ''])
      expect(codeOf(() => parseChecksumAlgorithm(name))).toBe('InvalidRequest');
  });

  test('CRC32 is composite unless asked otherwise, CRC64NVME never, SHA always', () => {
    expect(checksumTypeOf('CRC32')).toBe('COMPOSITE');
    expect(checksumTypeOf('CRC32C', 'FULL_OBJECT')).toBe('FULL_OBJECT');
    expect(checksumTypeOf('CRC64NVME')).toBe('FULL_OBJECT');
    expect(checksumTypeOf('SHA1')).toBe('COMPOSITE');
    expect(s3FaultOf(() => checksumTypeOf('CRC64NVME', 'COMPOSITE'))?.message).toBe(
      'The COMPOSITE checksum type cannot be used with the crc64nvme checksum algorithm.',
    );
    for (const type of ['FULL_OBJECT', 'other'])
      expect(codeOf(() => checksumTypeOf('SHA256', type))).toBe('InvalidRequest');
  });

  test('[S30] the value of a completion may have its number of parts or not', () => {
    expect(isChecksumOfObject('WgDhBQ==-3', 'WgDhBQ==-3')).toBe(true);
    expect(isChecksumOfObject('WgDhBQ==-3', 'WgDhBQ==')).toBe(true);
    expect(isChecksumOfObject('WgDhBQ==-3', 'WgDhBQ==-2')).toBe(false);
    expect(isChecksumOfObject('WgDhBQ==', 'WgDhBQ==-3')).toBe(false);
  });
});

describe('requests', () => {
  const headers = (pairs: Record<string, string>) => new Map(Object.entries(pairs));
  const bytes = Buffer.from('hello world');

  test('[S28] each algorithm is read from its header or its trailer, and a wrong value is refused', () => {
    for (const algorithm of checksumAlgorithms) {
      const name = checksumHeader(algorithm);
      const right = checksumOf(algorithm, bytes);
      const computed = Buffer.from(right, 'base64');
      const given = readGivenChecksum(headers({ [name]: right, 'x-amz-checksum-mode': 'ENABLED' }));
      expect(given).toEqual({ algorithm, value: new Uint8Array(computed) });
      verifyChecksum(algorithm, given?.value ?? new Uint8Array(), computed);
      const wrong = s3FaultOf(() => verifyChecksum(algorithm, Buffer.alloc(computed.length), computed));
      expect(wrong?.message).toBe(`The ${algorithm} you specified did not match the calculated checksum.`);
      const announced = announcedTrailers(headers({ 'x-amz-trailer': name.toUpperCase() }));
      expect(readGivenChecksum(headers({}), announced)).toEqual({ algorithm, value: undefined });
      for (const malformed of ['', 'AAAA', 'bad', `${right}=`])
        expect(codeOf(() => readChecksumValue(algorithm, malformed))).toBe('BadDigest');
    }
    expect(
      readGivenChecksum(headers({ 'content-type': 'a', 'x-amz-sdk-checksum-algorithm': 'CRC32' })),
    ).toBeUndefined();
  });

  test('two of them, unknown ones, and trailers that are none are refused', () => {
    const two = { 'x-amz-checksum-crc32': 'DUoRhQ==', 'x-amz-checksum-crc32c': 'yZRlqg==' };
    expect(codeOf(() => readGivenChecksum(headers(two)))).toBe('InvalidRequest');
    const both = headers({ 'x-amz-checksum-crc32': 'DUoRhQ==' });
    expect(codeOf(() => readGivenChecksum(both, ['x-amz-checksum-sha1']))).toBe('InvalidRequest');
    for (const name of ['x-amz-checksum-md5', 'x-amz-checksum-xxhash3'])
      expect(codeOf(() => readGivenChecksum(headers({ [name]: 'AAAA' })))).toBe('InvalidRequest');
    expect(codeOf(() => readGivenChecksum(headers({ 'x-amz-sdk-checksum-algorithm': 'MD5' })))).toBe(
      'InvalidRequest',
    );
    for (const trailer of ['x-amz-meta-a', 'x-amz-checksum-crc32, content-length', 'x-amz-checksum-mode'])
      expect(codeOf(() => announcedTrailers(headers({ 'x-amz-trailer': trailer })))).toBe('InvalidRequest');
  });

  test('[S27] Content-MD5 that is empty or short is InvalidDigest, a wrong one BadDigest', () => {
    for (const value of ['', 'AAAA', 'not base64', '1B2M2Y8AsgTpgAmY7PhCfg'])
      expect(codeOf(() => readContentMd5(headers({ 'content-md5': value })))).toBe('InvalidDigest');
    expect(readContentMd5(headers({}))).toBeUndefined();
    const empty = readContentMd5(headers({ 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' })) ?? new Uint8Array();
    verifyContentMd5(empty, hashing.md5Of(new Uint8Array()));
    expect(codeOf(() => verifyContentMd5(empty, hashing.md5Of(bytes)))).toBe('BadDigest');
  });

  test("a part has its upload's algorithm or none", () => {
    checkPartAlgorithm('SHA256', undefined);
    checkPartAlgorithm(undefined, 'CRC32');
    checkPartAlgorithm('SHA256', 'SHA256');
    expect(s3FaultOf(() => checkPartAlgorithm('SHA256', 'CRC32'))?.message).toBe(
      'Checksum Type mismatch occurred, expected checksum Type: sha256, actual checksum Type: crc32',
    );
  });
});
