/**
 * Answers a request whose body is still arriving. Closing at once would reset the connection while the client is still sending,
 * and the answer would be lost: the rest is read and discarded first, up to a limit.
 */
import type { IncomingMessage } from 'node:http';
import { MIB } from '@millpond/protocol';
import { type HttpResponse, sendResponse, sendWithoutEnd } from '../platform/web/index.ts';
import type { Exchange } from './exchange.ts';

/** A body this small costs less to read than a new connection. */
const SMALL_BODY_BYTES = 64 * 1024;
const DISCARDED_BYTES = 16 * MIB;
/** A piece counts for at least this much, whatever it holds: taking it costs no less. */
const PIECE_BYTES = 512;
const DISCARDING_MS = 10_000;
/** How long to drain the body after a request timeout. */
const LEAVING_MS = 1_000;

export function answerAndDrainBody(
  { awaitsContinue, id, request, response }: Exchange,
  answer: HttpResponse,
  isWaitedFor = true,
): void {
  if (awaitsContinue) {
    // The client may send the body or not.
    response.shouldKeepAlive = false;
    sendResponse(response, answer, id);
    return;
  }
  if (isWaitedFor && announcedBytes(request) <= SMALL_BODY_BYTES) {
    sendResponse(response, answer, id);
    request.resume();
    return;
  }
  sendWithoutEnd(response, answer, id);
  discard(request, isWaitedFor ? DISCARDING_MS : LEAVING_MS, () => response.end());
}

function announcedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

function discard(request: IncomingMessage, withinMs: number, done: () => void): void {
  let left = DISCARDED_BYTES;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', count).off('end', finish).off('close', finish);
    done();
  };
  const count = (chunk: Buffer) => {
    left -= Math.max(chunk.length, PIECE_BYTES);
    if (left < 0) finish();
  };
  const timer = setTimeout(finish, withinMs);
  request.on('data', count).once('end', finish).once('close', finish);
  // A client that disconnects now is no fault of ours.
  request.on('error', () => undefined);
  request.resume();
}
