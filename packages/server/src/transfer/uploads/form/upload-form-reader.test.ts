import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { MemoryBudget, MemoryReservation } from '@millpond/base';
import { Fault } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FileSink, type Form, type FormFields, readForm } from './upload-form-reader.ts';

const BOUNDARY = 'b0undary';
const ROOM = new MemoryBudget(1024 * 1024, 'later');
const shareOf = (budget: MemoryBudget) => new MemoryReservation(budget, []);
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

interface FormRequest {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly filename?: string;
}

function bodyOf(parts: readonly FormRequest[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, value, filename }) => [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(filename === undefined ? '\r\n\r\n' : `; filename="${filename}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

function requestOf(chunks: readonly Uint8Array[], contentType?: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (contentType !== undefined) request.headers['content-type'] = contentType;
  for (const chunk of chunks) request.push(chunk);
  request.push(null);
  return request;
}

interface Outcome {
  readonly form: Form;
  readonly content: string;
  /** The fields that were known when the file began. */
  readonly before: readonly string[];
}

/** Reads a form with a sink that makes the reader wait now and then. */
async function read(request: IncomingMessage): Promise<Outcome> {
  const taken: Buffer[] = [];
  let waiting = false;
  let before: string[] = [];
  const sink: FileSink = {
    write(chunk) {
      expect(waiting, 'no chunk may come before the last one was taken').toBe(false);
      taken.push(Buffer.from(chunk));
      if (taken.length % 2 === 0) return undefined;
      waiting = true;
      return setImmediate().then(() => {
        waiting = false;
      });
    },
  };
  const open = async (fields: FormFields) => {
    before = [...fields.keys()];
    await setImmediate();
    return sink;
  };
  const form = await readForm(request, new Map(), open, shareOf(ROOM));
  return { form, content: Buffer.concat(taken).toString('latin1'), before };
}

const readParts = (parts: readonly FormRequest[]) => read(requestOf([bodyOf(parts)], TYPE));
const FILE: FormRequest = { name: 'file', value: 'content', filename: 'f.txt' };

async function faultOf(reading: Promise<unknown>): Promise<unknown> {
  try {
    await reading;
    return undefined;
  } catch (error) {
    return error instanceof Fault ? error.fault : error;
  }
}

describe('fields and the file', () => {
  test('fields before and after the file are all there in the end', async () => {
    const { form, content, before } = await readParts([
      { name: 'token', value: 't' },
      { name: '', value: 'no name' },
      FILE,
      { name: 'key', value: 'käse' },
    ]);
    expect(before).toEqual(['token', '']);
    expect([...form.fields]).toEqual([
      ['token', 't'],
      ['', 'no name'],
      ['key', 'käse'],
    ]);
    expect(form.file).toEqual({ name: 'file', filename: 'f.txt', mimeType: undefined });
    expect(content).toBe('content');
  });

  test('a file without a file name, and an empty one, are files', async () => {
    for (const value of ['x', '']) {
      expect((await readParts([{ name: 'file', value }])).content).toBe(value);
      expect((await readParts([{ name: 'file', value, filename: 'name' }])).content).toBe(value);
    }
    expect((await readParts([{ name: 'file', value: 'x', filename: '' }])).content).toBe('x');
  });

  test('any chunks give the same form, and the sink is never hurried', async () => {
    const file = { name: 'file', value: Buffer.from('a\r\n--b0undar\r\n--\0\xff'.repeat(20), 'latin1') };
    const body = bodyOf([{ name: 'key', value: '鍵' }, file, { name: 'token', value: 'tok\r\nen' }]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (step) => {
        const chunks: Buffer[] = [];
        for (let at = 0; at < body.length; at += step) chunks.push(body.subarray(at, at + step));
        const { form, content } = await read(requestOf(chunks, TYPE));
        expect(Object.fromEntries(form.fields)).toEqual({ key: '鍵', token: 'tok\r\nen' });
        expect(content).toBe(file.value.toString('latin1'));
      }),
      { numRuns: 30 },
    );
  });
});

describe('content types', () => {
  const body = bodyOf([FILE]);
  test.each([
    TYPE,
    `Multipart/Form-Data;boundary=${BOUNDARY}`,
    `multipart/form-data; boundary="${BOUNDARY}"`,
    `multipart/form-data; charset=utf-8; boundary=${BOUNDARY}`,
    `multipart/form-data; boundary=${BOUNDARY}; charset=utf-8`,
  ])('%s', async (contentType) => {
    expect((await read(requestOf([body], contentType))).content).toBe('content');
  });

  test.each([
    undefined,
    '',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(71)}x y`,
    `multipart/form-data; boundary=other; boundary=${BOUNDARY}`,
    `multipart/mixed; boundary=${BOUNDARY}`,
    `text/plain; x=multipart/form-data; boundary=${BOUNDARY}`,
  ])('%s is a fault', async (contentType) => {
    expect(await faultOf(read(requestOf([body], contentType)))).toBe('invalidForm');
  });
});

describe('faults', () => {
  test.each<[string, FormRequest[]]>([
    ['no file', [{ name: 'key', value: 'k' }]],
    ['no file was chosen', [{ name: 'file', value: '', filename: '' }]],
    ['two files', [FILE, FILE]],
    ['a file under another name', [FILE, { ...FILE, name: 'other' }]],
    ['a field twice', [{ name: 'key', value: 'a' }, { name: 'key', value: 'a' }, FILE]],
    ['a field twice, once behind the file', [{ name: 'key', value: 'a' }, FILE, { name: 'key', value: 'b' }]],
    ['a field that is not UTF-8', [{ name: 'x:a', value: Buffer.from([0xff]) }, FILE]],
    ['65 fields', [...many(65), FILE]],
    ['more than 512 KiB of fields', [{ name: 'x:a', value: 'v'.repeat(512 * 1024 + 1) }, FILE]],
    [
      'more than 512 KiB of fields in all',
      [{ name: 'x:a', value: 'v'.repeat(512 * 1024) }, FILE, { name: 'x:b', value: 'v' }],
    ],
  ])('%s', async (_, parts) => {
    expect(await faultOf(readParts(parts))).toBe('invalidForm');
  });

  test('64 fields of 512 KiB in all are read', async () => {
    const [first = FILE, ...others] = many(64);
    const parts = [{ ...first, value: 'v'.repeat(512 * 1024 - 63) }, ...others, FILE];
    expect((await readParts(parts)).form.fields.size).toBe(64);
  });

  test('a key that is not UTF-8 has its own fault', async () => {
    const parts = [{ name: 'key', value: Buffer.from([0x61, 0xff]) }, FILE];
    expect(await faultOf(readParts(parts))).toBe('keyNotUtf8');
  });

  test('a body cut off anywhere is a fault', async () => {
    const body = bodyOf([{ name: 'key', value: 'k' }, FILE]);
    for (let length = 0; length < body.length - 2; length++) {
      expect(await faultOf(read(requestOf([body.subarray(0, length)], TYPE)))).toBe('invalidForm');
    }
  });

  test('a client that leaves is a fault of the form, a sink that fails is not', async () => {
    const left = new IncomingMessage(new Socket());
    left.headers['content-type'] = TYPE;
    left.push(bodyOf([FILE]).subarray(0, -10));
    const reading = faultOf(read(left));
    await setImmediate();
    left.destroy(new Error('aborted'));
    expect(await reading).toBe('invalidForm');

    const full = new Error('disk full');
    const failing: FileSink = { write: () => Promise.reject(full) };
    expect(
      await faultOf(
        readForm(requestOf([bodyOf([FILE])], TYPE), new Map(), async () => failing, shareOf(ROOM)),
      ),
    ).toBe(full);
  });

  test('a refusal leaves the request open: its answer goes out on the same connection', async () => {
    const request = new IncomingMessage(new Socket());
    request.headers['content-type'] = TYPE;
    // The last boundary is still on its way.
    request.push(bodyOf([FILE]).subarray(0, -4));
    const refused = new Fault('badToken');
    const reading = readForm(request, new Map(), () => Promise.reject(refused), shareOf(ROOM));
    expect(await faultOf(reading)).toBe('badToken');
    expect(request.destroyed).toBe(false);
  });
});

describe('long fields before a token', () => {
  const long: FormRequest = { name: 'x:a', value: 'a'.repeat(17 * 1024) };
  const sink: FileSink = { write: () => undefined };

  test('are held within a budget that all forms share, short ones without', async () => {
    const form = (value: FormRequest) =>
      readForm(
        requestOf([bodyOf([value, FILE])], TYPE),
        new Map(),
        async () => sink,
        shareOf(new MemoryBudget(1000, 'later')),
      );
    expect(await faultOf(form(long))).toBe('tooManyRequests');
    expect((await form({ name: 'x:a', value: 'a'.repeat(16 * 1024) })).fields.size).toBe(1);
  });

  test('count until the token is accepted, or the form is over', async () => {
    const budget = new MemoryBudget(10_000, 'later');
    const held: number[] = [];
    const watching: FileSink = {
      write: () => {
        held.push(budget.heldBytes);
        return undefined;
      },
    };
    const token: FormRequest = { name: 'token', value: 't' };
    for (const fields of [[long], [token, long]]) {
      await readForm(
        requestOf([bodyOf([...fields, FILE])], TYPE),
        new Map(),
        async () => watching,
        shareOf(budget),
      );
      expect(budget.heldBytes).toBe(0);
    }
    expect(held).toEqual([1024, 0]);
    const refused = new Fault('badToken');
    const reading = readForm(
      requestOf([bodyOf([long, FILE])], TYPE),
      new Map(),
      () => Promise.reject(refused),
      shareOf(budget),
    );
    expect([await faultOf(reading), budget.heldBytes]).toEqual(['badToken', 0]);
  });
});

function many(count: number): FormRequest[] {
  return Array.from({ length: count }, (_, index) => ({ name: `x:${index}`, value: 'v' }));
}
