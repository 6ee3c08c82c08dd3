/** Reads an answer of unknown length to its end, counting its lines. Knows just enough about chunked bodies for that. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Address } from './work.ts';

const LINE_END = 0x0a;
const OPENING_BRACE = 0x7b;

/** Counts the body's lines, which all begin with a brace: no line of the framing does. */
export async function countLines(to: Address, request: string): Promise<number> {
  const socket = connect({ ...to, noDelay: true });
  await once(socket, 'connect');
  socket.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 'latin1');
  let lines = 0;
  let atStart = true;
  let head = '';
  let tail = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (head.length < 12) head += chunk.toString('latin1', 0, 12);
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 5))).slice(-5);
    if (atStart && chunk[0] === OPENING_BRACE) lines++;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) {
      if (chunk[at + 1] === OPENING_BRACE) lines++;
    }
    atStart = chunk.at(-1) === LINE_END;
  }
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`answered ${head}`);
  if (tail !== '0\r\n\r\n') throw new Error('the stream was cut off');
  return lines;
}
