import { createHash, randomBytes } from 'node:crypto';
import { PIECE_RATE } from '@millpond/base';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createOutboundClient,
  OutboundError,
  type OutboundRequest,
  type StreamingResponse,
} from './index.ts';
import { limits, outcomeOf } from './testing/outcome.ts';
import { type Behaviour, pour, type Receiver, reply, startReceiver } from './testing/receivers.ts';

const MIB = 1024 * 1024;
const outbound = createOutboundClient({ allow: ['127.0.0.1/32', '127.0.0.2/32'] });
const receivers: Receiver[] = [];
const receiver = async (behaviour: Behaviour, address = '127.0.0.1'): Promise<Receiver> => {
  const made = await startReceiver(behaviour, { address });
  receivers.push(made);
  return made;
};
const large = { ...limits, maxBodyBytes: 1024 * MIB, totalMs: 20_000, idleMs: 5000 };
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  limits: large,
  ...more,
});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Reads to the end: how many bytes came, and which fault ended it. */
const readAll = async ({ body }: StreamingResponse): Promise<[bytes: number, fault: string | undefined]> => {
  let bytes = 0;
  try {
    for await (const chunk of body) bytes += chunk.length;
  } catch (error) {
    if (error instanceof OutboundError) return [bytes, error.kind];
    throw error;
  }
  return [bytes, undefined];
};
afterAll(async () => {
  await Promise.all(receivers.map((made) => made.close()));
  await outbound.close();
});

describe('a body as it comes', () => {
  test('arrives whole, its length known before', async () => {
    const chunk = randomBytes(MIB);
    const made = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${8 * MIB}\r\n\r\n`);
      pour(socket, chunk, 8 * MIB);
    });
    const { body, status } = await outbound.open(get(made.url));
    expect([status, body.length]).toEqual([200, 8 * MIB]);
    const [digest, expected] = [createHash('sha256'), createHash('sha256')];
    for await (const piece of body) digest.update(piece);
    for (let count = 0; count < 8; count++) expected.update(chunk);
    expect(digest.digest('hex')).toBe(expected.digest('hex'));
  });

  test('waits for its reader: the sender is held back, and the idle deadline rests', async () => {
    let sent = (): number => 0;
    const made = await receiver((socket) => {
      sent = () => socket.bytesWritten - socket.writableLength;
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${64 * MIB}\r\n\r\n`);
      pour(socket, Buffer.alloc(64 * 1024), 64 * MIB);
    });
    const answer = await outbound.open(get(made.url, { limits: { ...large, idleMs: 500 } }));
    await pause(800);
    const stalled = sent();
    expect(stalled).toBeLessThan(32 * MIB);
    await pause(200);
    expect(sent()).toBe(stalled);
    expect(await readAll(answer)).toEqual([64 * MIB, undefined]);
  });

  test('in chunks of one byte is read more slowly, and arrives whole', async () => {
    const chunks = 9000;
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const made = await receiver((socket) => socket.write(`${head}${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`));
    const begun = performance.now();
    expect(await readAll(await outbound.open(get(made.url)))).toEqual([chunks, undefined]);
    const paid = ((chunks - PIECE_RATE.burst) / PIECE_RATE.perSecond) * 1000;
    expect(performance.now() - begun).toBeGreaterThan(paid / 2);
  });

  test('a reader that leaves ends the transfer', async () => {
    const made = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      pour(socket, `1000\r\n${'x'.repeat(4096)}\r\n`);
    });
    const { body } = await outbound.open(get(made.url));
    for await (const chunk of body) if (chunk.length > 0) break;
    await made.drained();
  });

  test('that nobody reads or cancels ends at the deadline', async () => {
    const made = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      pour(socket, `1000\r\n${'x'.repeat(4096)}\r\n`);
    });
    const answer = await outbound.open(get(made.url, { limits: { ...large, totalMs: 600 } }));
    await made.drained();
    expect(await readAll(answer)).toEqual([0, 'timeout']);
  });

  test('a cancelled signal ends the transfer and tells the reader', async () => {
    const made = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx');
    });
    const cancel = new AbortController();
    const answer = await outbound.open(get(made.url, { signal: cancel.signal }));
    setTimeout(() => cancel.abort(), 100);
    expect(await readAll(answer)).toEqual([1, 'aborted']);
    await made.drained();
  });
});

describe('a body that is not whole is a fault at its reader', () => {
  test.each<[what: string, kind: string, Behaviour]>([
    ['cut off', 'truncated', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')],
    [
      'reset',
      'truncated',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf');
        setTimeout(() => socket.resetAndDestroy(), 100);
      },
    ],
    [
      'without its last chunk',
      'truncated',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
    ],
    ['stopped', 'timeout', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')],
  ])('%s: %s', async (_what, kind, behaviour) => {
    const made = await receiver(behaviour);
    const answer = await outbound.open(get(made.url, { limits: { ...large, idleMs: 600 } }));
    const [, fault] = await readAll(answer);
    expect(fault).toBe(kind);
    await made.drained();
  });

  test('one that grows too large', async () => {
    const made = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      pour(socket, `1000\r\n${'x'.repeat(4096)}\r\n`);
    });
    const answer = await outbound.open(get(made.url, { limits: { ...large, maxBodyBytes: MIB } }));
    const [bytes, fault] = await readAll(answer);
    expect(fault).toBe('tooLarge');
    expect(bytes).toBeLessThanOrEqual(MIB);
    await made.drained();
  });

  test('one whose end nobody can know is refused, unless the caller takes it', async () => {
    const made = await receiver((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nperhaps all'));
    expect(await outcomeOf(outbound.open(get(made.url)))).toBe('truncated');
    expect(await readAll(await outbound.open(get(made.url, { acceptUnsized: true })))).toEqual([
      11,
      undefined,
    ]);
    expect((await outbound.send(get(made.url))).body.toString()).toBe('perhaps all');
  });
});

describe('redirects', () => {
  const chain = async (): Promise<Receiver> =>
    receiver((socket, head) => {
      const [, step = '0'] = /^\w+ \/(\d+)/.exec(head) ?? [];
      if (step === '0') reply(200, 'arrived')(socket, head);
      else reply(302, 'a body to pass over', [`location: /${Number(step) - 1}`])(socket, head);
    });

  test('are followed as often as asked, with the whole deadline', async () => {
    const made = await chain();
    const answer = await outbound.send(get(`${made.url}/3`, { redirects: 3 }));
    expect(answer).toMatchObject({ status: 200, url: `${made.url}/0` });
    expect(answer.body.toString()).toBe('arrived');
    expect(await outcomeOf(outbound.send(get(`${made.url}/4`, { redirects: 3 })))).toBe('protocol');
    expect(await outcomeOf(outbound.send(get(`${made.url}/1`, { redirects: 1 })))).toBe('200');
    expect(await outcomeOf(outbound.send(get(`${made.url}/1`)))).toBe('302');
    const slow = await receiver((socket, head) =>
      setTimeout(() => reply(302, '', ['location: /'])(socket, head), 100),
    );
    const call = outbound.send(get(slow.url, { redirects: 3, limits: { ...large, totalMs: 250 } }));
    expect(await outcomeOf(call)).toBe('timeout');
  });

  test('a POST follows none', async () => {
    const call = outbound.send(get('http://127.0.0.1:1/', { method: 'POST', redirects: 1 }));
    await expect(call).rejects.toThrow(TypeError);
  });

  test.each(['', 'http://', 'http://[', 'http://127.0.0.1:99999/'])(
    'a Location of %j is a fault',
    async (location) => {
      const made = await receiver(reply(301, '', [`location: ${location}`]));
      expect(await outcomeOf(outbound.send(get(made.url, { redirects: 1 })))).toBe('protocol');
    },
  );

  test('to another host take along neither credentials nor the Host that was given', async () => {
    const other = await receiver(reply(200), '127.0.0.2');
    const made = await receiver(reply(307, '', [`location: ${other.url}/next`]));
    const headers = { authorization: 'secret', cookie: 'secret', 'x-kept': 'yes' };
    const request = get(made.url, { headers, hostOverride: 'origin.example', redirects: 1 });
    expect(await outcomeOf(outbound.send(request))).toBe('200');
    expect(made.requests[0]).toContain('authorization: secret');
    expect(other.requests[0]).not.toMatch(/secret|origin\.example/);
    expect(other.requests[0]).toContain('x-kept: yes');
    expect(other.requests[0]).toContain(`host: 127.0.0.2:${other.port}`);
  });
});
