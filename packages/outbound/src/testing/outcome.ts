/** Short ways to state the outcome of a call. */
import { OutboundError } from '../faults.ts';
import type { OutboundClientLimits, OutboundResponse, StreamingResponse } from '../options.ts';

export const limits: OutboundClientLimits = {
  connectMs: 2000,
  headersMs: 800,
  idleMs: 800,
  totalMs: 4000,
  maxBodyBytes: 64 * 1024,
  maxHeaderBytes: 16 * 1024,
};

/** The status, or the kind of the fault. Anything else is rethrown. */
export async function outcomeOf(call: Promise<OutboundResponse | StreamingResponse>): Promise<string> {
  try {
    const { status } = await call;
    return String(status);
  } catch (error) {
    if (error instanceof OutboundError) return error.kind;
    throw error;
  }
}
