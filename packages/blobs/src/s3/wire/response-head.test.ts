import { anyText } from '@millpond/testing/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WireError } from './faults.ts';
import { HeadReader } from './head-reader.ts';
import { HEAD_LIMIT, type ResponseHead } from './response-head.ts';

function read(text: string): { head: ResponseHead; rest: string } | undefined {
  const reader = new HeadReader();
  const bytes = Buffer.from(text, 'latin1');
  const head = reader.read(bytes, bytes.length);
  return head && { head, rest: bytes.toString('latin1', reader.end) };
}

const token = fc.string({
  unit: fc.constantFrom(...Array.from('abcXYZ019-_!#$%&*+.^`|~')),
  minLength: 1,
  maxLength: 20,
});
const text = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .map((code) => (code === 0x7f ? '\t' : String.fromCharCode(code))),
  maxLength: 40,
});
const known = /^(?:connection|content-length|content-range|transfer-encoding)$/i;
const fields = fc.array(
  fc.tuple(
    token.filter((name) => !known.test(name)),
    text,
  ),
  { maxLength: 12 },
);
const linesOf = (pairs: [string, string][]): string =>
  pairs.map(([name, value]) => `${name}:${value}\r\n`).join('');

describe('a proper head', () => {
  test('says what it says, between any other headers', () => {
    fc.assert(
      fc.property(
        fields,
        fields,
        fc.integer({ min: 200, max: 599 }),
        fc.integer({ min: 0, max: 999_999_999_999_999 }),
        text,
        text,
        (before, after, status, length, reason, rest) => {
          const head = `HTTP/1.1 ${status} ${reason}\r\n${linesOf(before)}Content-LENGTH:\t ${length} \r\ncontent-range: bytes 1-2/3\r\n${linesOf(after)}\r\n`;
          expect(read(head + rest)).toEqual({
            head: {
              status,
              length,
              chunked: false,
              keepAlive: true,
              contentRange: 'bytes 1-2/3',
              etag: undefined,
              storageClass: undefined,
            },
            rest,
          });
        },
      ),
    );
  });

  test.each([
    ['HTTP/1.1 200\r\n\r\n', { keepAlive: true, chunked: false, length: undefined }],
    ['HTTP/1.0 200 OK\r\n\r\n', { keepAlive: false }],
    ['HTTP/1.1 200 OK\r\nConnection: foo, Close\r\n\r\n', { keepAlive: false }],
    ['HTTP/1.1 200 OK\r\nconnection: Keep-Alive\r\n\r\n', { keepAlive: true }],
    ['HTTP/1.1 404 Not Found\r\nTransfer-Encoding: Chunked\r\n\r\n', { status: 404, chunked: true }],
    [
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 206 OK\r\n\r\n',
      { status: 206 },
    ],
  ])('%j', (head, expected) => {
    expect(read(`${head}body`)).toMatchObject({ head: expected, rest: 'body' });
  });

  test('in any pieces gives the same', () => {
    const head = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nx: ${'y'.repeat(3000)}\r\n\r\n`;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), (sizes) => {
        const reader = new HeadReader();
        const bytes = Buffer.from(`${head}12345`, 'latin1');
        for (let at = 0, turn = 0; ; turn++) {
          const size = Math.min(sizes[turn % sizes.length] ?? 1, bytes.length - at);
          const found = reader.read(bytes.subarray(at), size);
          at += size;
          expect(reader.begun).toBe(!found && !/\r\n\r\n$/.test(bytes.toString('latin1', 0, at)));
          if (!found) continue;
          expect(found).toMatchObject({ status: 206, length: 5 });
          expect(at - size + reader.end).toBe(head.length);
          return;
        }
      }),
    );
  });
});

describe('refused', () => {
  test.each([
    ['SSH-2.0-OpenSSH_9.2\r\n'],
    ['\r\nHTTP/1.1 200 OK\r\n\r\n'],
    ['HTTP/2 200\r\n\r\n'],
    ['HTTP/1.1 99 X\r\n\r\n'],
    ['HTTP/1.1 600 X\r\n\r\n'],
    ['HTTP/1.1  200 OK\r\n\r\n'],
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['HTTP/1.1 200 OK\nContent-Length: 5\n\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\n folded\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\na: b\0\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\na: b\rContent-Length: 5\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n'],
    [`HTTP/1.1 200 OK\r\na: ${'b'.repeat(HEAD_LIMIT)}`],
    [`HTTP/1.1 200 OK\r\na: ${'b'.repeat(HEAD_LIMIT)}\r\n\r\n`],
  ])('%j', (head) => {
    expect(() => read(head)).toThrow(WireError);
  });

  test('the longest head is read, one byte more is not', () => {
    const frame = 'HTTP/1.1 200 OK\r\na: \r\n\r\n'.length;
    const head = (length: number) => `HTTP/1.1 200 OK\r\na: ${'b'.repeat(length - frame)}\r\n\r\n`;
    expect(read(head(HEAD_LIMIT))?.head.status).toBe(200);
    expect(() => read(head(HEAD_LIMIT + 1))).toThrow('too long');
  });

  test('no bytes make it throw anything but its own fault', () => {
    const piece = fc.constantFrom(
      'HTTP/1.1 ',
      '206',
      ' OK',
      '\r\n',
      '\r',
      '\n',
      ':',
      ' ',
      'content-length',
      '5',
      'x',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((all) => all.join('')),
          anyText(),
        ),
        (input) => {
          try {
            read(input);
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
