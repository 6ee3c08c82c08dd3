/**
 * Bodies that are read whole, because a signature covers them. Nobody has been believed yet while they arrive, so all of
 * them together have a budget of memory, and each a time of its own.
 */
import type { IncomingMessage } from 'node:http';
import { Fault } from '@millpond/protocol';
import { FREE_BYTES, type MemoryBudget, MemoryShare } from '../memory-budget.ts';
import { readBody } from './read-body.ts';

export interface BodyLimits {
  readonly budget: MemoryBudget;
  readonly timeoutMs: number;
}

export interface HeldBody {
  readonly bytes: Buffer;
  /** When nobody needs them any more. */
  readonly release: () => void;
}

const MOST_BYTES = 4 * 1024 * 1024;

/** A body of GET and HEAD means nothing, and is never read. */
export function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export async function holdBody(request: IncomingMessage, limits: BodyLimits): Promise<HeldBody> {
  const announced = Number(request.headers['content-length'] ?? MOST_BYTES);
  if (announced > MOST_BYTES) throw tooLarge();
  const share = new MemoryShare(limits.budget);
  const timer = new AbortController();
  const late = setTimeout(() => timer.abort(new Fault('requestTimeout')), limits.timeoutMs);
  let held = Buffer.alloc(0);
  let length = 0;
  try {
    await readBody(
      request,
      (chunk) => {
        const needed = length + chunk.length;
        if (needed > MOST_BYTES) throw tooLarge();
        if (needed > held.length) {
          // Not as much as is announced: that costs the sender nothing.
          const size = Math.min(announced, Math.max(needed, 2 * held.length, FREE_BYTES));
          share.take(size - held.length);
          const larger = Buffer.allocUnsafeSlow(size);
          held.copy(larger, 0, 0, length);
          held = larger;
        }
        held.set(chunk, length);
        length = needed;
        return undefined;
      },
      timer.signal,
    );
  } catch (error) {
    share.giveBack();
    if (error instanceof Fault) throw error;
    throw new Fault('invalidArgument', { detail: 'the request ended early', cause: error });
  } finally {
    clearTimeout(late);
  }
  return { bytes: held.subarray(0, length), release: () => share.giveBack() };
}

function tooLarge(): Fault {
  return new Fault('tooLarge', { hint: `a request body may have ${MOST_BYTES} bytes here` });
}
