/** Reads over undici, for engines behind TLS. Its chunks are the receiver's own. */
import type { Dispatcher } from 'undici';
import type { SignedRequest } from './client.ts';
import type { Answer } from './exchange.ts';
import type { ReadTransport, Receiver, Transfer } from './transport.ts';
import { WireFault } from './wire/faults.ts';

export function createUndiciReads(dispatcher: Dispatcher, queueTimeout: number): ReadTransport {
  return {
    get(request: SignedRequest, receiver: Receiver): Transfer {
      const transfer = new UndiciTransfer(receiver, queueTimeout);
      dispatcher.dispatch({ method: 'GET', ...request }, transfer);
      return transfer;
    },
    close: () => dispatcher.close(),
  };
}

class UndiciTransfer implements Dispatcher.DispatchHandler, Transfer {
  readonly #receiver: Receiver;
  readonly #queueTimer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #aborted = false;

  constructor(receiver: Receiver, queueTimeout: number) {
    this.#receiver = receiver;
    this.#queueTimer = setTimeout(() => {
      this.#aborted = true;
      receiver.onError(new WireFault('WIRE_BUSY', 'no connection became free'));
    }, queueTimeout);
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(): void {
    this.#aborted = true;
    clearTimeout(this.#queueTimer);
    this.#controller?.abort(new Error('given up'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    clearTimeout(this.#queueTimer);
    if (this.#aborted) controller.abort(new Error('given up while waiting for a connection'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Answer['headers'],
  ): void {
    const { 'content-length': length, 'content-range': contentRange } = headers;
    this.#receiver.onHead({
      status,
      length: length === undefined ? undefined : Number(length),
      contentRange: typeof contentRange === 'string' ? contentRange : undefined,
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#aborted && !this.#receiver.onBody(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (!this.#aborted) this.#receiver.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#queueTimer);
    if (!this.#aborted) this.#receiver.onError(error);
  }
}
