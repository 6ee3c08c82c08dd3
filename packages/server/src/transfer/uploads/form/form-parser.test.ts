import { byteWork } from '@millpond/base/testing';
import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MultipartEvent, MultipartParser } from './form-parser.ts';

const BOUNDARY = 'b0undary';
const DELIMITER = `\r\n--${BOUNDARY}`;

/** Events with the bytes of a part put together, as text of one character per byte. */
type ParserEvent = ['part', string] | ['data', string] | ['end'];

function parse(chunks: readonly Buffer[], boundary = BOUNDARY): ParserEvent[] {
  const parser = new MultipartParser(boundary);
  const seen: ParserEvent[] = [];
  for (const chunk of chunks) for (const event of parser.push(chunk)) record(seen, event);
  parser.finish();
  return seen;
}

function record(seen: ParserEvent[], event: MultipartEvent): void {
  const last = seen.at(-1);
  if (event.kind === 'part') seen.push(['part', JSON.stringify([...event.headers])]);
  else if (event.kind === 'end') seen.push(['end']);
  else if (last?.[0] === 'data') last[1] += event.bytes.toString('latin1');
  else seen.push(['data', event.bytes.toString('latin1')]);
}

/** The events, or the fault; anything else that is thrown fails the test. */
function outcome(chunks: readonly Buffer[], boundary?: string): ParserEvent[] | string {
  try {
    return parse(chunks, boundary);
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
}

function bodyOf(contents: readonly string[]): Buffer {
  const parts = contents.map((content) => `--${BOUNDARY}\r\nName: part\r\n\r\n${content}\r\n`);
  return Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`, 'latin1');
}

function cut(body: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (body.length + 1)))].sort((a, b) => a - b);
  const starts = [0, ...sorted];
  return starts.map((start, index) => body.subarray(start, starts[index + 1] ?? body.length));
}

/** Bytes, and pieces that look like a boundary or the beginning of one. */
const content = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      fc.constantFrom('\r', '\n', '\r\n', '\r\n\r\n', '--', `--${BOUNDARY}`, `--${BOUNDARY}--`),
      fc.nat(DELIMITER.length - 1).map((length) => DELIMITER.slice(0, length)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join('').replaceAll(DELIMITER, DELIMITER.slice(0, -1)))
  // The line break in front of the closing boundary may complete one.
  .filter((text) => !`\r\n\r\n${text}\r\n--`.includes(DELIMITER));
const places = fc.array(fc.nat(2000), { maxLength: 30 });

describe('properties', () => {
  test('any way to cut a body into chunks gives the same parts, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 4 }), places, (contents, cuts) => {
        const expected = contents.flatMap((text): ParserEvent[] => [
          ['part', '[["name","part"]]'],
          ...(text === '' ? [] : [['data', text] satisfies ParserEvent]),
          ['end'],
        ]);
        const body = bodyOf(contents);
        expect(parse([body])).toEqual(expected);
        expect(parse(cut(body, cuts))).toEqual(expected);
        expect(parse([...body].map((byte) => Buffer.from([byte])))).toEqual(expected);
      }),
    );
  });

  test('a body cut off before its closing boundary is a fault', () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 3 }), fc.nat(), (contents, at) => {
        const body = bodyOf(contents);
        const closing = body.length - '\r\n'.length;
        expect(outcome([body.subarray(0, at % closing)])).toBe('invalidForm');
      }),
    );
  });

  test('no input gives anything but events or the fault of a form, the same in one chunk and in many', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      fc.constantFrom(`--${BOUNDARY}`, DELIMITER, '\r\n', '\r\n\r\n', '--', 'a: b', ':', ' ', '\t', '-'),
      fc.constantFrom(`${DELIMITER}--`, `${DELIMITER}\r\n\r\n`, `${DELIMITER}\r\na: b\r\n\r\n`),
      fc.constantFrom('x'.repeat(8 * 1024 - 3), 'x'.repeat(8 * 1024), ' '.repeat(64)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), places, (pieces, cuts) => {
        const body = Buffer.from(pieces.join(''), 'latin1');
        const whole = outcome([body]);
        expect(outcome(cut(body, cuts))).toEqual(whole);
        if (typeof whole === 'string') expect(whole).toBe('invalidForm');
      }),
      { numRuns: 400 },
    );
  });
});

describe('limits, in one chunk as in crumbs', () => {
  const inCrumbs = (body: Buffer) => [...body].map((byte) => Buffer.from([byte]));
  const same = (text: string): ParserEvent[] | string => {
    const body = Buffer.from(text, 'latin1');
    const whole = outcome([body]);
    expect(outcome(inCrumbs(body))).toEqual(whole);
    return whole;
  };
  const rest = `${DELIMITER}\r\n\r\nx${DELIMITER}--`;

  test('a preamble of 8 KiB passes, a longer one does not', () => {
    const line = 'p'.repeat(8 * 1024 - 2);
    expect(same(`${line}${rest}`)).toEqual([['part', '[]'], ['data', 'x'], ['end']]);
    expect(same(`p${line}${rest}`)).toBe('invalidForm');
  });

  test('headers of 8 KiB pass, longer ones do not', () => {
    const header = `A: ${'h'.repeat(8 * 1024 - 5)}`;
    const withHeader = (text: string) => `--${BOUNDARY}\r\n${text}\r\n\r\nx${DELIMITER}--`;
    expect(same(withHeader(header))).toHaveLength(3);
    expect(same(withHeader(`${header}h`))).toBe('invalidForm');
    expect(same(withHeader(`${header}hhh`))).toBe('invalidForm');
  });

  test('1000 parts pass, more do not', () => {
    const parts = (count: number) => [bodyOf(Array.from({ length: count }, () => ''))];
    expect(parse(parts(1000)).filter(([kind]) => kind === 'part')).toHaveLength(1000);
    expect(outcome(parts(1001))).toBe('invalidForm');
  });

  test('64 spaces behind a boundary pass, more do not', () => {
    const padded = (spaces: number) => `--${BOUNDARY}${' '.repeat(spaces)}\r\n\r\nx${DELIMITER}--`;
    expect(same(padded(64))).toHaveLength(3);
    expect(same(padded(65))).toBe('invalidForm');
  });
});

describe('what a body may look like', () => {
  const textOf = (body: string) => outcome([Buffer.from(body, 'latin1')]);

  test('preamble and epilogue are passed over', () => {
    expect(textOf(`hello\r\n--${BOUNDARY}\r\n\r\nx${DELIMITER}--\r\nbye${DELIMITER}`)).toEqual([
      ['part', '[]'],
      ['data', 'x'],
      ['end'],
    ]);
  });

  test('a body of no parts is a body', () => {
    expect(textOf(`--${BOUNDARY}--`)).toEqual([]);
  });

  test('header names are lower-cased, values trimmed', () => {
    const headers = 'CONTENT-Type:  text/plain \r\nX: \xe9:y';
    expect(textOf(`--${BOUNDARY}\r\n${headers}\r\n\r\n${DELIMITER}--`)).toEqual([
      [
        'part',
        JSON.stringify([
          ['content-type', 'text/plain'],
          ['x', '\xe9:y'],
        ]),
      ],
      ['end'],
    ]);
  });

  test.each([
    ['nothing', ''],
    ['no boundary', 'hello'],
    ['another boundary', '--other\r\n\r\nx\r\n--other--'],
    ['a header twice', `--${BOUNDARY}\r\nX: 1\r\nx: 1\r\n\r\nx${DELIMITER}--`],
    ['a boundary with text behind it', `--${BOUNDARY}x\r\n\r\nx${DELIMITER}--`],
    ['a boundary inside a part with text behind it', `--${BOUNDARY}\r\n\r\nx${DELIMITER}x${DELIMITER}--`],
    ['a header without a colon', `--${BOUNDARY}\r\nheader\r\n\r\nx${DELIMITER}--`],
    ['a header without a name', `--${BOUNDARY}\r\n: x\r\n\r\nx${DELIMITER}--`],
    ['lines that end in LF alone', `--${BOUNDARY}\n\nx\n--${BOUNDARY}--`],
    ['half of the closing dashes', `--${BOUNDARY}\r\n\r\nx${DELIMITER}-`],
  ])('%s is a fault', (_, body) => {
    expect(textOf(body)).toBe('invalidForm');
  });

  test('bytes of a part are slices of the chunk that they came in', () => {
    const parser = new MultipartParser(BOUNDARY);
    parser.push(Buffer.from(`--${BOUNDARY}\r\n\r\nx`));
    const chunk = Buffer.alloc(1000, 'y');
    const [event] = parser.push(chunk);
    expect(event?.kind === 'data' && event.bytes.buffer === chunk.buffer).toBe(true);
  });
});

test('headers of a part cost as much as they have bytes, in however many pieces they come', () => {
  const body = Buffer.from(`--${BOUNDARY}\r\nX: ${'a'.repeat(8000)}\r\n\r\n`);
  for (const size of [body.length, 100, 1]) {
    const parser = new MultipartParser(BOUNDARY);
    let parts = 0;
    const { moved, searched } = byteWork(() => {
      for (let at = 0; at < body.length; at += size)
        parts += parser.push(body.subarray(at, at + size)).length;
    });
    expect(parts).toBe(1);
    expect((moved + searched) / body.length).toBeLessThan(10);
  }
});
