import { afterAll, describe, expect, test } from 'vitest';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
  OutboundError,
  type OutboundRequest,
} from './index.ts';
import { createDnsStub } from './testing/dns-stub.ts';
import { limits, outcomeOf } from './testing/outcome.ts';
import { type Behaviour, pour, type Receiver, reply, startReceiver } from './testing/receivers.ts';

const MIB = 1024 * 1024;
const clients: OutboundClient[] = [];
const receivers: Receiver[] = [];
const client = (options: OutboundClientOptions = {}): OutboundClient => {
  const made = createOutboundClient({ allow: ['127.0.0.1/32'], ...options });
  clients.push(made);
  return made;
};
const receiver = async (behaviour: Behaviour): Promise<Receiver> => {
  const made = await startReceiver(behaviour);
  receivers.push(made);
  return made;
};
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  limits,
  ...more,
});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
afterAll(async () => {
  await Promise.all(receivers.map((made) => made.close()));
  await Promise.all(clients.map((made) => made.close()));
});

describe('a request as it is written', () => {
  test('names the host, asks for no compression, and carries nothing that was not given', async () => {
    const { url, requests, port } = await receiver(reply(200, '{"ok":true}', ['x-one: a', 'x-one: b']));
    const body = Buffer.from('a=1');
    const headers = { 'Content-Type': 'text/plain', 'X-Given': 'y' };
    const answer = await client().send(get(`${url}/p?q#f`, { method: 'POST', body, headers }));
    expect(answer).toMatchObject({ status: 200, url: `${url}/p?q` });
    expect(answer.body.toString()).toBe('{"ok":true}');
    expect(answer.headers['x-one']).toEqual(['a', 'b']);
    expect(requests[0]?.split('\r\n')).toEqual([
      'POST /p?q HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      'connection: keep-alive',
      'accept-encoding: identity',
      'content-type: text/plain',
      'x-given: y',
      'user-agent: millpond',
      'content-length: 3',
    ]);
  });

  test('a Host of its own changes the header, not the way', async () => {
    const made = await receiver(reply(200, 'ok'));
    await client().send(get(made.url, { hostOverride: 'Origin.example.:8080' }));
    expect(made.requests[0]).toContain('\r\nhost: origin.example:8080\r\n');
  });

  test.each([
    'Host',
    'Connection',
    'Content-Length',
    'Transfer-Encoding',
    'Accept-Encoding',
    'Proxy-Authorization',
  ])('the header %s is not for callers', async (name) => {
    await expect(client().send(get('http://127.0.0.1:1/', { headers: { [name]: 'x' } }))).rejects.toThrow(
      TypeError,
    );
  });

  test('a header that would split the request is never sent', async () => {
    const made = await receiver(reply(200));
    const headers = { 'content-type': 'a\r\nx-injected: 1' };
    expect(await outcomeOf(client().send(get(made.url, { headers })))).toBe('protocol');
    expect(made.requests).toEqual([]);
  });

  test('no body: a POST says so, a status without body is an answer, HEAD has only a head', async () => {
    const outbound = client();
    const empty = await receiver((socket) => socket.write('HTTP/1.1 204 No\r\n\r\n'));
    expect(await outbound.send(get(empty.url, { method: 'POST' }))).toMatchObject({ status: 204 });
    expect(empty.requests[0]).toContain('content-length: 0');
    const head = await receiver((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n'),
    );
    const answer = await outbound.send(get(head.url, { method: 'HEAD' }));
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
  });

  test('connections are kept and used again', async () => {
    const made = await receiver(reply(200, 'ok'));
    const outbound = client();
    for (let count = 0; count < 5; count++) expect(await outcomeOf(outbound.send(get(made.url)))).toBe('200');
    expect(made.accepted).toBeLessThanOrEqual(2);
    await outbound.close();
    await made.drained();
    expect(await outcomeOf(outbound.send(get(made.url)))).toBe('aborted');
  });
});

/** How long an answer may stay away where that is what a receiver does. */
const QUIET_MS = 200;

/** What a receiver does, what becomes of it, and within how many milliseconds (a loaded machine adds its own). The longest is first. */
const misbehaviours: readonly (readonly [
  what: string,
  outcome: string,
  within: number,
  behaviour: Behaviour,
])[] = [
  [
    'drips a byte at a time',
    'timeout',
    1500,
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 200);
      socket.on('close', () => clearInterval(timer));
    },
  ],
  ['hangs', 'timeout', QUIET_MS, () => undefined],
  ['resets at once', 'connect', 0, (socket) => socket.resetAndDestroy()],
  ['closes at once', 'connect', 0, (socket) => socket.end()],
  ['closes within the headers', 'connect', 0, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
  ['speaks something else', 'protocol', 0, (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
  ['answers 100 and no more', 'protocol', 0, (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
  [
    'changes the protocol',
    'protocol',
    0,
    (socket) => socket.write('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  [
    'sends interim answers without end',
    'timeout',
    QUIET_MS,
    (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    },
  ],
  [
    'sends headers without end',
    'tooLarge',
    0,
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, `x-header: ${'y'.repeat(1000)}\r\n`);
    },
  ],
  [
    'sends one header without end',
    'tooLarge',
    0,
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-header: ');
      pour(socket, 'y'.repeat(1000));
    },
  ],
  [
    'sends a status line without end',
    'timeout',
    QUIET_MS,
    (socket) => {
      socket.write('HTTP/1.1 200 ');
      const timer = setInterval(() => socket.write('y'.repeat(1000)), 20);
      socket.on('close', () => clearInterval(timer));
    },
  ],
  [
    'stops within the body',
    'timeout',
    QUIET_MS,
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
  ],
  [
    'announces too much',
    'tooLarge',
    0,
    (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${1024 * MIB}\r\n\r\n`),
  ],
  [
    'sends too much without announcing it',
    'tooLarge',
    0,
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      pour(socket, `10000\r\n${'x'.repeat(65536)}\r\n`, 1024 * MIB);
    },
  ],
  [
    'closes before the length that it gave',
    'truncated',
    0,
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
  ],
  [
    'says that it closes, and closes before the length that it gave',
    'truncated',
    0,
    (socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\nhalf'),
  ],
  [
    'resets within the body',
    'truncated',
    0,
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
      setTimeout(() => socket.resetAndDestroy(), 100);
    },
  ],
  [
    'resets within a body that ends with the connection',
    'truncated',
    0,
    (socket) => {
      socket.write('HTTP/1.0 200 OK\r\n\r\nhalf');
      setTimeout(() => socket.resetAndDestroy(), 100);
    },
  ],
  [
    'closes without the last chunk',
    'truncated',
    0,
    (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
  ],
  [
    'closes within a chunk, having said that it closes',
    'truncated',
    0,
    (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf'),
  ],
  [
    'sends a chunk of no size',
    'protocol',
    0,
    (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\nhalf'),
  ],
  [
    'gives two lengths',
    'protocol',
    0,
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nhalf'),
  ],
  [
    'compresses the transfer',
    'protocol',
    0,
    (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n'),
  ],
  ['redirects', '302', 0, reply(302, '', ['location: http://127.0.0.1:1/'])],
  ['fails', '500', 0, reply(500, 'oops')],
];

describe('a receiver that', () => {
  const whole = { ...limits, totalMs: 1500 };
  const quiet = { ...whole, headersMs: QUIET_MS, idleMs: QUIET_MS };

  test.concurrent.each(misbehaviours)('%s: %s', async (_what, outcome, within, behaviour) => {
    const made = await receiver(behaviour);
    const outbound = client();
    const started = performance.now();
    const given = { limits: within === QUIET_MS ? quiet : whole };
    expect(await outcomeOf(outbound.send(get(made.url, given)))).toBe(outcome);
    const took = performance.now() - started;
    expect(took).toBeGreaterThanOrEqual(within - 5);
    if (!/^\d/.test(outcome)) await made.drained();
    await outbound.close();
    await made.drained();
    expect(made.accepted).toBe(1);
  });

  test('never comes, because its name is not answered', async () => {
    const outbound = client({ resolve: () => new Promise(() => undefined) });
    const call = outbound.send(get('http://silent.test/', { limits: { ...limits, connectMs: 100 } }));
    expect(await outcomeOf(call)).toBe('timeout');
  });

  test('is not there: no name, no address, no listener', async () => {
    const { resolve } = createDnsStub({ 'empty.test': [[]] });
    const outbound = client({ resolve });
    expect(await outcomeOf(outbound.send(get('http://unknown.test/')))).toBe('resolve');
    expect(await outcomeOf(outbound.send(get('http://empty.test/')))).toBe('resolve');
    const gone = await startReceiver(reply(200));
    await gone.close();
    expect(await outcomeOf(outbound.send(get(gone.url)))).toBe('connect');
  });

  test('has a dead address and a living one is reached', async () => {
    const made = await receiver(reply(200));
    const { resolve } = createDnsStub({ 'two.test': ['127.0.0.9', '127.0.0.1'] });
    const outbound = client({ resolve, allow: ['127.0.0.1/32', '127.0.0.9/32'] });
    expect(await outcomeOf(outbound.send(get(`http://two.test:${made.port}/`)))).toBe('200');
  });

  test('adds an answer that nobody asked for cannot answer the next request', async () => {
    let count = 0;
    const made = await receiver((socket, head) => {
      count += 1;
      reply(200, `answer ${count}`)(socket, head);
      if (count === 1) reply(200, 'smuggled')(socket, head);
    });
    const outbound = client();
    const bodies: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { body } = await outbound.send(get(made.url));
      bodies.push(body.toString());
      await pause(20);
    }
    expect(bodies).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  test('compresses its body: the bytes are as they were sent', async () => {
    const { gzipSync } = await import('node:zlib');
    const packed = gzipSync('x'.repeat(100_000));
    const made = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`);
      socket.write(packed);
    });
    const { body, headers } = await client().send(get(made.url));
    expect(body.equals(packed)).toBe(true);
    expect(headers['content-encoding']).toBe('gzip');
  });
});

describe('memory', () => {
  test('a receiver of 1 GiB is cut off after little', async () => {
    let written = 0;
    const made = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      pour(socket, Buffer.alloc(256 * 1024), 1024 * MIB);
      socket.on('close', () => {
        written = socket.bytesWritten;
      });
    });
    expect(await outcomeOf(client().send(get(made.url)))).toBe('tooLarge');
    await made.drained();
    expect(written).toBeLessThan(32 * MIB);
  });

  test('a body of single bytes is no larger than its bytes', async () => {
    const size = 20_000;
    const made = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      socket.write(`${'1\r\nx\r\n'.repeat(size)}0\r\n\r\n`);
    });
    // So many pieces are read slowly, see PieceDebt.
    const { body } = await client().send(get(made.url, { limits: { ...limits, totalMs: 60_000 } }));
    expect(body.length).toBe(size);
    expect(body.every((byte) => byte === 120)).toBe(true);
    expect(body.buffer.byteLength).toBeLessThan(4 * size);
  });
});

describe('cancelling', () => {
  test('before and within the call', async () => {
    const made = await receiver(() => undefined);
    const outbound = client();
    expect(await outcomeOf(outbound.send(get(made.url, { signal: AbortSignal.abort() })))).toBe('aborted');
    expect(made.accepted).toBe(0);
    const cancel = new AbortController();
    const call = outbound.send(get(made.url, { signal: cancel.signal }));
    setTimeout(() => cancel.abort(new Error('the client went away')), 100);
    const fault = await call.catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(OutboundError);
    expect(fault).toMatchObject({ kind: 'aborted', cause: new Error('the client went away') });
    await made.drained();
  });
});

describe('limits of the pools', () => {
  test('connections to one host are bounded, and so are those that wait', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const made = await receiver((socket, head) => void released.then(() => reply(200)(socket, head)));
    const outbound = client({ connectionsPerOrigin: 2, waitingPerOrigin: 3 });
    let ended = 0;
    const sent = Array.from({ length: 8 }, async () => {
      const outcome = await outcomeOf(outbound.send(get(made.url)));
      ended++;
      return outcome;
    });
    await expect.poll(() => ended).toBe(3);
    release();
    const outcomes = await Promise.all(sent);
    expect(outcomes.filter((outcome) => outcome === '200').length).toBe(5);
    expect(outcomes.filter((outcome) => outcome === 'connect').length).toBe(3);
    expect(made.accepted).toBe(2);
    expect(await outcomeOf(outbound.send(get(made.url)))).toBe('200');
  });

  test('of the connections to one host, a party leaves a quarter to the others, and takes turns with them', async () => {
    const made = await receiver((socket, head) => {
      if (!head.startsWith('GET /hang')) reply(200)(socket, head);
    });
    const outbound = client({ connectionsPerOrigin: 4, waitingPerOrigin: 8 });
    const end = new AbortController();
    const hang = () => outcomeOf(outbound.send(get(`${made.url}/hang`, { party: 1n, signal: end.signal })));
    const hanging = Array.from({ length: 11 }, hang);
    await expect.poll(() => made.requests.length).toBe(3);
    expect(await hang()).toBe('connect');
    for (const party of [2n, 3n, undefined])
      expect(await outcomeOf(outbound.send(get(made.url, { party })))).toBe('200');
    expect(made.requests.filter((head) => head.startsWith('GET /hang'))).toHaveLength(3);
    end.abort();
    await outbound.close();
    await Promise.all(hanging);
  });

  test('waiting counts against the whole deadline', async () => {
    const made = await receiver(() => undefined);
    const outbound = client({ connectionsPerOrigin: 1 });
    const slow = outcomeOf(outbound.send(get(made.url, { limits: { ...limits, headersMs: 600 } })));
    const call = outbound.send(get(made.url, { limits: { ...limits, headersMs: 2000, totalMs: 150 } }));
    expect(await outcomeOf(call)).toBe('timeout');
    expect(made.requests.length).toBe(1);
    expect(await slow).toBe('timeout');
    await made.drained();
  });

  test('the pool that was idle longest makes room for a new host', async () => {
    const [one, two, three] = [
      await receiver(reply(200)),
      await receiver(reply(200)),
      await receiver(reply(200)),
    ];
    const outbound = client({ maxOrigins: 2 });
    for (const { url } of [one, two, one, three])
      expect(await outcomeOf(outbound.send(get(url)))).toBe('200');
    await two.drained();
    expect([one.open, three.open]).toEqual([1, 1]);
    const hung = await receiver(() => undefined);
    const busy = [hung.url, `${hung.url.replace('127.0.0.1', 'localhost')}`];
    const { resolve } = createDnsStub({ localhost: ['127.0.0.1'] });
    const small = client({ maxOrigins: 2, resolve });
    const brief = { limits: { ...limits, headersMs: 400 } };
    const calls = busy.map((url) => outcomeOf(small.send(get(url, brief))));
    expect(await outcomeOf(small.send(get(one.url)))).toBe('connect');
    expect(await Promise.all(calls)).toEqual(['timeout', 'timeout']);
    expect(await outcomeOf(small.send(get(one.url)))).toBe('200');
  });
});
