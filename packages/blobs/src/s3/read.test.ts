import { describe, expect, test } from 'vitest';
import { BlobCorruptError, BlobNotFoundError, BlobStoreUnavailableError } from '../errors.ts';
import { partHead } from '../testing/scripted-engine.ts';
import {
  answerTo,
  blob,
  bytes,
  errorOf,
  pause,
  serve,
  startReads,
  whole,
} from '../testing/scripted-reads.ts';
import { collectingSink } from '../testing/sinks.ts';

describe('answers cut in any way', () => {
  test('the head split at every byte', async () => {
    let cut = 0;
    const { engine, read } = await startReads(async ({ socket, first, last }) => {
      const answer = answerTo(first, last);
      socket.write(answer.subarray(0, cut));
      await pause(1);
      socket.write(answer.subarray(cut));
    });
    const range = { offset: 11, length: 100 };
    const most = partHead(11, 110).length + 3;
    for (cut = 1; cut <= most; cut++)
      expect((await read(range)).equals(bytes.subarray(11, 111)), `cut at ${cut}`).toBe(true);
    expect(engine.accepted).toBe(1);
  });

  test('a head byte by byte does not put off its time-out', async () => {
    const { read } = await startReads(
      async ({ socket, first, last }) => {
        for (const character of partHead(first, last)) {
          await pause(10);
          socket.write(character);
        }
      },
      { headersTimeout: 150 },
    );
    expect(await errorOf(read())).toMatchObject({ message: expect.stringContaining('does not answer') });
  });

  test('a head without end', async () => {
    const { engine, read } = await startReads(({ socket }) =>
      socket.write(`HTTP/1.1 206 OK\r\n${'x: y\r\n'.repeat(10_000)}`),
    );
    expect(await errorOf(read())).toMatchObject({ message: expect.stringContaining('not HTTP') });
    await expect.poll(() => engine.open).toBe(0);
  });

  test('a provisional answer first', async () => {
    const { read } = await startReads((request) => {
      request.socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
      serve(request);
    });
    expect((await read()).equals(bytes)).toBe(true);
  });
});

describe('bytes that belong to no answer', () => {
  test('right behind the body: the read is whole, the connection is not used again', async () => {
    const { engine, read } = await startReads((request) => {
      serve(request);
      request.socket.write(partHead(0, 3));
      request.socket.write('evil');
    });
    for (let count = 1; count <= 3; count++) {
      expect((await read({ offset: 5, length: 50 })).equals(bytes.subarray(5, 55))).toBe(true);
      await expect.poll(() => [engine.accepted, engine.open]).toEqual([count, 0]);
    }
  });

  test('in the same packet as the body', async () => {
    const { engine, read } = await startReads(({ socket, first, last }) =>
      socket.write(
        Buffer.concat([
          Buffer.from(partHead(first, last)),
          bytes.subarray(first, last + 1),
          Buffer.from('!'),
        ]),
      ),
    );
    expect((await read({ offset: 0, length: 10 })).equals(bytes.subarray(0, 10))).toBe(true);
    expect((await read({ offset: 9, length: 10 })).equals(bytes.subarray(9, 19))).toBe(true);
    expect(engine.accepted).toBe(2);
  });
});

describe('answers that are not the bytes', () => {
  const error = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
  const framings = {
    length: (status: string, body: string) =>
      `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    chunks: (status: string, body: string) =>
      `HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`,
    close: (status: string, body: string) => `HTTP/1.1 ${status}\r\n\r\n${body}`,
  };

  describe.each(['length', 'chunks', 'close'] as const)('framed by %s', (framing) => {
    test('a missing blob and a missing bucket are told apart', async () => {
      let code = 'NoSuchKey';
      const { engine, store } = await startReads(({ socket }) => {
        socket.write(framings[framing]('404 Not Found', error(code)));
        if (framing === 'close') socket.end();
      });
      const sink = collectingSink();
      expect(await errorOf(store.read(blob, whole, sink))).toBeInstanceOf(BlobNotFoundError);
      code = 'NoSuchBucket';
      expect(await errorOf(store.read(blob, whole, sink))).toMatchObject({
        name: 'BlobStoreUnavailableError',
        retryable: false,
        message: expect.stringContaining('404 NoSuchBucket'),
      });
      expect(sink.received).toBe(0);
      expect(engine.accepted).toBe(framing === 'length' ? 1 : 2);
    });
  });

  test.each([
    ['HTTP/1.1 304 Not Modified\r\n\r\n', false, '304'],
    ['HTTP/1.1 204 No Content\r\n\r\n', false, '204'],
    ['HTTP/1.1 301 Moved\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n', false, '301'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc', false, '200'],
    ['HTTP/1.1 500 Oh\r\nContent-Length: 3\r\n\r\nabc', true, '500'],
    ['HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\n\r\n', true, '503'],
    ['HTTP/1.1 206 OK\r\n\r\nabc', false, 'without a length'],
    ['HTTP/1.1 206 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n', false, 'without a length'],
    [
      'HTTP/1.1 206 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      true,
      'not HTTP',
    ],
    [`HTTP/1.1 500 Oh\r\nContent-Length: 99999\r\n\r\n${'x'.repeat(99_999)}`, true, '500'],
  ])('%j', async (answer, retryable, text) => {
    const { store } = await startReads(({ socket }) => socket.write(answer));
    const sink = collectingSink();
    const fault = await errorOf(store.read(blob, whole, sink));
    expect(fault).toBeInstanceOf(BlobStoreUnavailableError);
    expect(fault).toMatchObject({ retryable, message: expect.stringContaining(text) });
    expect(sink.received).toBe(0);
  });

  test.each([
    ['HTTP/1.1 206 OK\r\nContent-Length: 3\r\n\r\nabc', 'returns 3 of 300000'],
    [
      'HTTP/1.1 206 OK\r\nContent-Length: 300000\r\nContent-Range: bytes 7-300006/300007\r\n\r\n',
      'does not start at 0',
    ],
    ['HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n', 'ends before byte 0'],
  ])('%j is damage', async (answer, text) => {
    const { read } = await startReads(({ socket }) => socket.write(answer));
    const fault = await errorOf(read());
    expect(fault).toBeInstanceOf(BlobCorruptError);
    expect(fault).toMatchObject({ message: expect.stringContaining(text) });
  });

  test('a kept connection serves on after an error with a length', async () => {
    const { engine, read } = await startReads(
      (request) => {
        if (request.count % 2 === 1)
          request.socket.write(framings.length('503 Slow Down', error('SlowDown')));
        else serve(request);
      },
      { tries: 2 },
    );
    for (let count = 0; count < 5; count++) expect((await read()).equals(bytes)).toBe(true);
    expect([engine.accepted, engine.requests]).toEqual([1, 10]);
  });

  test('a body that ends early is gone on with, and an engine that never gets further is given up', async () => {
    const { engine, store, read } = await startReads(
      ({ socket, first, last }) => {
        socket.end(
          Buffer.concat([Buffer.from(partHead(first, last)), bytes.subarray(first, first + 100_000)]),
        );
      },
      { tries: 3 },
    );
    expect((await read()).equals(bytes)).toBe(true);
    expect(engine.accepted).toBe(3);
    const sink = collectingSink();
    const more = { offset: 0, length: 400_000 };
    expect(await errorOf(store.read(blob, more, sink))).toMatchObject({ retryable: true });
    expect(sink.bytes().equals(bytes)).toBe(true);
  });
});

describe('a whole blob', () => {
  const all = { ...whole, whole: true };
  const head = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;

  test('is asked for without a range, and after a break from where it was', async () => {
    const asked: number[] = [];
    const { read } = await startReads(
      (one) => {
        asked.push(one.first);
        if (asked.length > 1) serve(one);
        else one.socket.end(Buffer.concat([Buffer.from(head(bytes.length)), bytes.subarray(0, 1000)]));
      },
      { tries: 2 },
    );
    expect((await read(all)).equals(bytes)).toBe(true);
    expect(asked).toEqual([Number.NaN, 1000]);
  });

  test('that broke off before its first byte is asked for as before', async () => {
    const asked: number[] = [];
    const { read } = await startReads(
      ({ socket, first }) => {
        asked.push(first);
        if (asked.length > 1) socket.write(Buffer.concat([Buffer.from(head(bytes.length)), bytes]));
        else socket.end(head(bytes.length));
      },
      { tries: 2 },
    );
    expect((await read(all)).equals(bytes)).toBe(true);
    expect(asked).toEqual([Number.NaN, Number.NaN]);
  });

  test.each([bytes.length - 1, bytes.length + 1])(
    'of %i bytes is not the one it should be',
    async (length) => {
      const { read } = await startReads(({ socket }) => socket.write(head(length)));
      expect(await errorOf(read(all))).toBeInstanceOf(BlobCorruptError);
    },
  );

  test('is not the part of one', async () => {
    const { read } = await startReads(({ socket }) => socket.write(answerTo(0, bytes.length - 1)));
    const fault = await errorOf(read(all));
    expect(fault).toBeInstanceOf(BlobStoreUnavailableError);
    expect(fault).toMatchObject({ message: expect.stringContaining('206') });
  });
});
