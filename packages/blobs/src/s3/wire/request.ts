/** A request on the wire: its head as text, its body as it is. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { EngineRequest } from '../transport.ts';

const UNSAFE = /[^\t\x20-\x7e]/;
/** Up to this size one copy is cheaper than a gathering system call. */
const JOIN_UP_TO = 16 * 1024;
const PIECE = 64 * 1024;

/** The header names are ours; the values may hold what an operator configured. */
export function requestText(host: string, { method, path, headers }: EngineRequest): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    // A line break would let the rest of the value pass for headers or for a separate request.
    if (UNSAFE.test(value)) throw new TypeError(`the value of the header ${headers[at]} is not plain text`);
    text += `${headers[at]}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}

/** `onSent`: everything has been handed to the socket. */
export function writeRequest(
  socket: Socket,
  text: string,
  body: readonly Uint8Array[] = [],
  onSent: () => void,
): void {
  const size = body.reduce((sum, chunk) => sum + chunk.length, 0);
  if (size <= JOIN_UP_TO) {
    if (size === 0) socket.write(text, 'latin1');
    else socket.write(Buffer.concat([Buffer.from(text, 'latin1'), ...body], text.length + size));
    onSent();
  } else if (socket instanceof TLSSocket) {
    socket.write(text, 'latin1');
    writePieces(socket, piecesOf(body), onSent);
  } else {
    socket.cork();
    socket.write(text, 'latin1');
    for (const chunk of body) socket.write(chunk);
    socket.uncork();
    onSent();
  }
}

/** One piece after the other: TLS keeps a copy of everything it is given at once. Ends with the socket. */
function writePieces(socket: Socket, pieces: Iterator<Uint8Array>, onSent: () => void): void {
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
    if (socket.write(piece.value)) continue;
    socket.once('drain', () => writePieces(socket, pieces, onSent));
    return;
  }
  onSent();
}

function* piecesOf(body: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const chunk of body)
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
}
