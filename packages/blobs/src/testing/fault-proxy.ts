/** A TCP proxy in front of an engine that breaks connections in the ways networks do. For tests. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Fault {
  /** Strikes the first request whose head matches; without it, the next connection. Heads inside TLS are not seen. */
  readonly when?: RegExp;
  /** Strikes this many times; once if not given. */
  readonly times?: number;
  /** After this many bytes of the engine's answer (0: before any), or of the request. */
  readonly afterAnswerBytes?: number;
  readonly afterRequestBytes?: number;
  /** reset: RST; end: a proper close; stall: nothing more; flip: one byte changed; reply: our own answer instead. */
  readonly what: 'reset' | 'end' | 'stall' | 'flip' | { readonly reply: string };
}

export interface FaultProxy {
  readonly endpoint: string;
  /** Faults to come, in order. */
  readonly faults: Fault[];
  readonly open: number;
  readonly accepted: number;
  readonly bytesFromEngine: number;
  dropIdle(): void;
  close(): Promise<void>;
}

const TLS_HANDSHAKE = 0x16;

function flipped(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk);
  copy.writeUInt8(copy.readUInt8(copy.length - 1) ^ 1, copy.length - 1);
  return copy;
}

export async function startFaultProxy(engine: string): Promise<FaultProxy> {
  const target = new URL(engine);
  const faults: Fault[] = [];
  const strikes = new Map<Fault, number>();
  const sockets = new Set<Socket>();
  let accepted = 0;
  let bytesFromEngine = 0;

  function take(head: string): Fault | undefined {
    const fault = faults.find(({ when }) => when === undefined || when.test(head));
    if (!fault) return undefined;
    const count = (strikes.get(fault) ?? 0) + 1;
    strikes.set(fault, count);
    if (count >= (fault.times ?? 1)) faults.splice(faults.indexOf(fault), 1);
    return fault;
  }

  const server = createServer((client) => {
    accepted++;
    sockets.add(client);
    const upstream = connect(Number(target.port), target.hostname);
    let fault: Fault | undefined;
    let requestBytes = 0;
    let answerBytes = 0;
    let stalled = false;

    function strike({ what }: Fault): void {
      fault = undefined;
      if (what === 'stall') stalled = true;
      else if (what === 'reset') client.resetAndDestroy();
      else if (what === 'end') client.end(() => upstream.destroy());
      else if (typeof what === 'object') client.end(what.reply);
      if (typeof what === 'object' || what === 'stall') upstream.destroy();
    }

    client.on('data', (chunk: Buffer) => {
      if (stalled) return;
      const startsTls = requestBytes === 0 && chunk[0] === TLS_HANDSHAKE;
      if (startsTls || /^(?:GET|HEAD|PUT|POST|DELETE) /.test(chunk.toString('latin1', 0, 8))) {
        fault ??= take(chunk.toString('latin1', 0, 2000));
        requestBytes = 0;
        answerBytes = 0;
      }
      requestBytes += chunk.length;
      const reached = fault?.afterRequestBytes !== undefined && requestBytes > fault.afterRequestBytes;
      if (fault && reached && fault.what === 'flip') {
        chunk = flipped(chunk);
        fault = undefined;
      } else if (fault && reached) {
        strike(fault);
        return;
      }
      if (!upstream.write(chunk)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
    });
    upstream.on('data', (chunk: Buffer) => {
      bytesFromEngine += chunk.length;
      answerBytes += chunk.length;
      const limit = fault?.afterAnswerBytes;
      if (fault?.what === 'flip' && limit !== undefined && answerBytes > limit) {
        chunk = flipped(chunk);
        fault = undefined;
      } else if (fault && limit !== undefined && answerBytes > limit) {
        const rest = chunk.length - (answerBytes - limit);
        if (rest > 0) client.write(chunk.subarray(0, rest));
        strike(fault);
        return;
      }
      if (!client.write(chunk)) {
        upstream.pause();
        client.once('drain', () => upstream.resume());
      }
    });
    client.on('close', () => {
      sockets.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => {
      if (!stalled && fault === undefined) client.end();
    });
    client.on('error', () => undefined);
    upstream.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    faults,
    get open() {
      return sockets.size;
    },
    get accepted() {
      return accepted;
    },
    get bytesFromEngine() {
      return bytesFromEngine;
    },
    dropIdle() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
