/** A request on the wire: its head as text, its body as it is. */
import type { Socket } from 'node:net';
import type { Request } from '../transport.ts';

const UNSAFE = /[^\t\x20-\x7e]/;
/** Up to here one copy is cheaper than a system call that gathers pieces. */
const JOIN_UP_TO = 16 * 1024;

/** The names of the headers are ours, the values may hold what an operator configured. */
export function requestText(host: string, { method, path, headers }: Request): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    // A line break would let the rest of the value pass for headers or for a request of its own.
    if (UNSAFE.test(value)) throw new TypeError(`the value of the header ${headers[at]} is not plain text`);
    text += `${headers[at]}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}

export function writeRequest(socket: Socket, text: string, body: readonly Uint8Array[] | undefined): void {
  if (!body) {
    socket.write(text, 'latin1');
    return;
  }
  const size = body.reduce((sum, chunk) => sum + chunk.length, 0);
  if (size <= JOIN_UP_TO) {
    socket.write(Buffer.concat([Buffer.from(text, 'latin1'), ...body], text.length + size));
    return;
  }
  socket.cork();
  socket.write(text, 'latin1');
  for (const chunk of body) socket.write(chunk);
  socket.uncork();
}
