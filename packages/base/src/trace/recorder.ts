/** What listeners need of traces: one for every request, and whether it is kept. */
import type { Trace } from './trace.ts';

/** What only the listener knows of a request. */
export interface RequestFacts {
  readonly reqid: string;
  readonly method: string;
  /** Without the query, which may hold a token. */
  readonly path: string;
  readonly role: string | undefined;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
}

export interface TraceRecorder {
  /** Undefined: requests are not traced. */
  begin(): Trace | undefined;
  /** After the answer. The facts are asked for only if it is kept. */
  end(trace: Trace, status: number, ms: number, facts: () => RequestFacts): void;
}
