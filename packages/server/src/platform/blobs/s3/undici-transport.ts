/** Requests over undici, for engines behind TLS. Its chunks are the receiver's own. */
import type { Dispatcher, Pool } from 'undici';
import type { Receiver, Transfer, Transport } from './transport.ts';
import { WireFault } from './wire/faults.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function createUndiciTransport(pool: Pool, queueTimeout: number): Transport {
  return {
    send(request, receiver) {
      const { body = [] } = request;
      const transfer = new UndiciTransfer(receiver, queueTimeout);
      pool.dispatch(
        {
          ...request,
          // undici takes any iterable; its types know only streams and buffers.
          body: (body.length === 0 ? null : body) as Uint8Array | null,
          // undici closes the connection after every HEAD unless told that the engine behaves.
          reset: false,
        },
        transfer,
      );
      return transfer;
    },
    isCrowded: () => pool.stats.queued > 0,
    close: () => pool.close(),
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

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    const length = textOf(headers['content-length']);
    this.#receiver.onHead({
      status,
      length: length === undefined ? undefined : Number(length),
      contentRange: textOf(headers['content-range']),
      etag: textOf(headers.etag),
      storageClass: textOf(headers['x-amz-storage-class']),
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

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
