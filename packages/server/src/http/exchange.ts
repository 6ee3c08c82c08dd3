/** One request and its answer, from the moment its headers are complete: what is known of it, handed from step to step. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Trace } from '@millpond/base';
import type { Route, RoutedRequest } from '../platform/web/index.ts';

export class Exchange implements RoutedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  awaitsContinue = false;
  params: RoutedRequest['params'] = {};
  /** Undefined if nothing answers here, or only a refusal in no route's form. */
  route: Route | undefined;
  /** The path that was matched. */
  pattern = 'none';
  trace: Trace | undefined;
  /** For the log: why it is answered as it is. */
  reason: object | undefined;
  readonly #begin = performance.now();

  constructor(request: IncomingMessage, response: ServerResponse, id: string) {
    this.request = request;
    this.response = response;
    this.id = id;
  }

  get target(): string {
    return this.request.url ?? '/';
  }

  get elapsedMs(): number {
    return performance.now() - this.#begin;
  }
}

/**
 * Request ids: unique across processes and restarts, short, generated without a system call per request. They begin with a
 * letter or digit, so that commands that are given one do not take it for an option.
 */
export function requestIds(random: () => Buffer = () => randomBytes(9)): () => string {
  let prefix = '-';
  while (!/^[A-Za-z0-9]/.test(prefix)) prefix = random().toString('base64url');
  let count = 0;
  return () => `${prefix}${(count++).toString(36).padStart(4, '0')}`;
}
