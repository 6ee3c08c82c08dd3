/**
 * Bodies that are read whole, because a signature covers them or they contain a form. Most of them arrive before any credential
 * has been checked, so they have memory budgets that nobody can use up alone.
 */
import type { IncomingMessage } from 'node:http';
import { FREE_BYTES, MemoryBudget, MemoryReservation } from '@millpond/base';
import { Fault, MIB } from '@millpond/protocol';
import { readBody } from './read-body.ts';

export interface BodyLimits {
  /** For calls that anybody may make. Their bodies are small, and take nothing from those of accounts. */
  readonly open: BodyLimit;
  /** For calls that an account makes, or claims to make. */
  readonly account: BodyLimit;
}

export interface BodyLimit {
  readonly budget: MemoryBudget;
  readonly maxBytes: number;
}

const MAX_OPEN_BYTES = 64 * 1024;
const MAX_ACCOUNT_BYTES = 4 * MIB;

/** With this much memory for each kind. */
export function bodyLimits(memory: { account: number; open: number }): BodyLimits {
  const hint = 'too many large bodies at once: try again later';
  return {
    account: { budget: new MemoryBudget(memory.account, hint), maxBytes: MAX_ACCOUNT_BYTES },
    open: { budget: new MemoryBudget(memory.open, hint), maxBytes: MAX_OPEN_BYTES },
  };
}

export interface BufferedBody {
  readonly bytes: Buffer;
  readonly share: MemoryReservation;
}

/** A body of GET and HEAD has no meaning, and is never read. */
export function hasBody(request: IncomingMessage): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && announcesBody(request);
}

export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The caller must release the share when nobody needs the bytes any more. */
export async function holdBody(
  request: IncomingMessage,
  { budget, maxBytes }: BodyLimit,
  holders: readonly string[],
  cancel?: AbortSignal,
): Promise<BufferedBody> {
  const announced = Number(request.headers['content-length'] ?? maxBytes);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const share = new MemoryReservation(budget, holders);
  let held = Buffer.alloc(0);
  let length = 0;
  try {
    await readBody(
      request,
      (chunk) => {
        const needed = length + chunk.length;
        if (needed > maxBytes) throw tooLarge(maxBytes);
        if (needed > held.length) {
          // Not as much as announced: announcing costs the sender nothing.
          const size = Math.min(announced, Math.max(needed, 2 * held.length, FREE_BYTES));
          share.acquire(size - held.length);
          const larger = Buffer.allocUnsafeSlow(size);
          held.copy(larger, 0, 0, length);
          held = larger;
        }
        held.set(chunk, length);
        length = needed;
        return undefined;
      },
      cancel,
    );
  } catch (error) {
    share.release();
    if (error instanceof Fault) throw error;
    throw new Fault('invalidArgument', { detail: 'the request ended early', cause: error });
  }
  return { bytes: held.subarray(0, length), share };
}

function tooLarge(mostBytes: number): Fault {
  return new Fault('tooLarge', { hint: `a request body may have at most ${mostBytes} bytes here` });
}
