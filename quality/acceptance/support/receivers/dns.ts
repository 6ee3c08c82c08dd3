/** A DNS server of a test's own, that knows only TXT records. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';

const TXT = 16;

export interface DnsStub {
  /** `127.0.0.1:port`. */
  readonly server: string;
  /** Texts by name; a name without texts does not exist. */
  readonly texts: Map<string, readonly string[]>;
}

/** To be called at the top of a file, before the deployment that asks it. */
export function useDns(): DnsStub {
  const socket = createSocket('udp4');
  const texts = new Map<string, readonly string[]>();
  let server = '';
  socket.on('message', (message, from) => socket.send(answerTo(message, texts), from.port, from.address));
  beforeAll(async () => {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    server = `127.0.0.1:${socket.address().port}`;
  });
  afterAll(() => {
    socket.close();
  });
  return {
    texts,
    get server() {
      return server;
    },
  };
}

function answerTo(message: Buffer, texts: ReadonlyMap<string, readonly string[]>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = message.subarray(12, at + 5);
  const found = message.readUInt16BE(at + 1) === TXT ? (texts.get(labels.join('.').toLowerCase()) ?? []) : [];
  const header = Buffer.alloc(12);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(found.length > 0 ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  const records = found.map((text) => {
    const bytes = Buffer.from(text);
    const record = Buffer.alloc(13 + bytes.length);
    // The name of the question, TXT, IN, no time to live.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(TXT, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length + 1, 10);
    record.writeUInt8(bytes.length, 12);
    bytes.copy(record, 13);
    return record;
  });
  return Buffer.concat([header, question, ...records]);
}
