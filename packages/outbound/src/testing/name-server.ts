/** A name server for tests, on 127.0.0.1: names and their addresses. It never answers for names under `silent.test`, and after a
 * second for those under `late.test`. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

export interface NamedAddresses {
  /** Query by query, the last answer for good. */
  readonly a?: readonly (readonly string[])[];
  readonly aaaa?: readonly (readonly string[])[];
  readonly cname?: string;
}

export interface NameServer {
  /** `address:port` */
  readonly address: string;
  /** Names as they were asked for, with the type. */
  readonly asked: string[];
  close(): void;
}

const TYPES = { a: 1, cname: 5, aaaa: 28 } as const;
const LATE_MS = 1000;
const FOUND = 0x8580;
const NOT_FOUND = 0x8583;
const HEAD_BYTES = 12;

export async function startNameServer(names: Readonly<Record<string, NamedAddresses>>): Promise<NameServer> {
  const asked: string[] = [];
  let isClosed = false;
  const socket = dgram.createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    if (name.endsWith('silent.test')) return;
    const records: Buffer[] = [];
    let owner = name;
    for (let to = names[owner]?.cname; to !== undefined; to = names[owner]?.cname) {
      records.push(record(owner, TYPES.cname, encodeName(to)));
      owner = to;
    }
    const known = names[owner];
    const answers = type === TYPES.a ? known?.a : type === TYPES.aaaa ? known?.aaaa : undefined;
    const turn = asked.filter((each) => each === `${name} ${type}`).length;
    asked.push(`${name} ${type}`);
    for (const address of answers?.[Math.min(turn, answers.length - 1)] ?? [])
      records.push(record(owner, type, Buffer.from(ipaddr.parse(address).toByteArray())));
    const head = Buffer.alloc(HEAD_BYTES);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(known === undefined ? NOT_FOUND : FOUND, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    const answer = Buffer.concat([head, query.subarray(HEAD_BYTES, end + 4), ...records]);
    const send = () => {
      if (!isClosed) socket.send(answer, from.port, from.address);
    };
    if (name.endsWith('late.test')) setTimeout(send, LATE_MS);
    else send();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const close = () => {
    isClosed = true;
    socket.close();
  };
  return { address: `127.0.0.1:${socket.address().port}`, asked, close };
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = HEAD_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

function record(owner: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  // For no time at all: each connection asks again.
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), head, data]);
}
