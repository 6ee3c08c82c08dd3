/** Which requests the log mentions: all of them, refused ones with the reason, or only slow ones. */
import type { Log } from '@millpond/base';
import { type Fault, faultBody } from '@millpond/protocol';
import type { Config } from '../config/config.ts';
import type { Exchange } from './exchange.ts';

const SLOW_MS = 5_000;
/** Logged separately as an error, with its cause. */
const OUR_FAILURE = 599;
/** The client hung up before it had the whole answer, as nginx counts it: players do so all the time. */
export const HUNG_UP = 499;

export class RequestLog {
  readonly #log: Log;
  readonly #which: Config['logRequests'];

  constructor(log: Log, which: Config['logRequests']) {
    this.#log = log;
    this.#which = which;
  }

  /** Why the request is answered as it is. Call this before its end is logged. */
  explain(exchange: Exchange, reason: Fault | string): void {
    exchange.reason = reasonOf(reason);
  }

  failed(exchange: Exchange, { message, cause }: Fault): void {
    this.#log.error({ ...nameOf(exchange), detail: message, err: cause }, 'request failed');
  }

  ended(exchange: Exchange, status: number, ms: number): void {
    const facts = () => ({ ...nameOf(exchange), status, ms: Math.round(ms) });
    if (this.#which !== 'false' && status >= 400 && status !== OUR_FAILURE && status !== HUNG_UP)
      this.#log.warn({ ...facts(), ...exchange.reason }, 'request refused');
    else if (this.#which !== 'true' && ms <= SLOW_MS) return;
    else if (status === HUNG_UP) this.#log.info(facts(), 'request broken off');
    else this.#log.info(facts(), 'request');
  }

  /** Input that never became a request. */
  broken(reqid: string, fault: Fault): void {
    if (this.#which === 'false') return;
    this.#log.warn({ reqid, status: fault.status, ...reasonOf(fault) }, 'request refused');
  }
}

/** What the client is told, and what is only for the log. */
function reasonOf(reason: Fault | string): object {
  if (typeof reason === 'string') return { detail: reason };
  const { fault, hint, message } = reason;
  const isTold = message === hint || message === fault;
  return { ...faultBody(reason), ...(isTold ? {} : { detail: message }) };
}

export function nameOf(exchange: Exchange): { reqid: string; method: string; path: string } {
  const { id, request, target } = exchange;
  return { reqid: id, method: request.method ?? '', path: pathOf(target) };
}

/** Without the query, which may hold a download token, and without the context that lets a block be continued. */
function pathOf(target: string): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return path.replace(BLOCK_CONTEXT, '$1…');
}

const BLOCK_CONTEXT = /^(\/bput\/)[^/]+/;
