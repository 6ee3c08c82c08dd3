/**
 * Reads a blob into a sink, with no stream in between and no allocation of ours per chunk.
 *
 * Blobs never change, so an interrupted read continues from the byte where it stopped. Slow sinks are handled the same way:
 * after `parkAfter` without 'drain', much sooner while others wait for a connection, the request is dropped (the engine would
 * cut it anyway) and a new one asks for the rest once the sink takes bytes again.
 */
import { type BlobId, engineKey } from '../blob-id.ts';
import { BlobCorruptError, BlobNotFoundError, BlobStoreUnavailableError } from '../errors.ts';
import type { BlobSink, ByteRange } from '../store.ts';
import type { S3Client } from './client.ts';
import { connectionFault, errorCode, responseError } from './faults.ts';
import { CONNECTION_LOST, createRetries } from './retry.ts';
import type { EngineResponseHead, ResponseHandler, Transfer } from './transport.ts';

const DOING = 'reading a blob';
const ERROR_BODY_LIMIT = 64 * 1024;

export async function readBlob(
  client: S3Client,
  id: BlobId,
  range: ByteRange,
  sink: BlobSink,
  signal: AbortSignal | undefined,
): Promise<void> {
  const progress: Progress = {
    offset: range.offset,
    remaining: range.length,
    whole: range.whole === true && range.offset === 0,
  };
  const retries = createRetries(client.limits, signal);
  for (;;) {
    signal?.throwIfAborted();
    const attempt = new ReadAttempt(client, id, progress, sink, signal);
    try {
      const parked = await attempt.run();
      if (parked === undefined) return;
      await unlessAborted(parked.drained, signal);
    } catch (error) {
      await retries.next(error);
    }
  }
}

/** What is still to be written; shared by the attempts of one read. */
interface Progress {
  offset: number;
  remaining: number;
  /** The whole blob is to be read, and nothing has been written yet. */
  whole: boolean;
}

class ReadAttempt implements ResponseHandler {
  readonly #client: S3Client;
  readonly #id: BlobId;
  readonly #progress: Progress;
  readonly #sink: BlobSink;
  readonly #signal: AbortSignal | undefined;
  readonly #outcome = Promise.withResolvers<{ drained: Promise<void> } | undefined>();
  #parked: PromiseWithResolvers<void> | undefined;
  #transfer: Transfer | undefined;
  #settled = false;
  /** The status that the engine answers on success: 200 to a request without a range. */
  readonly #proper: 200 | 206;
  #status = 0;
  #errorBody: Buffer[] = [];
  #errorBytes = 0;
  /** When the sink was found full; 0 while it takes bytes. */
  #fullSince = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    client: S3Client,
    id: BlobId,
    progress: Progress,
    sink: BlobSink,
    signal: AbortSignal | undefined,
  ) {
    this.#client = client;
    this.#id = id;
    this.#progress = progress;
    this.#proper = progress.whole ? 200 : 206;
    this.#sink = sink;
    this.#signal = signal;
  }

  /** Resolves to undefined when all is written, or, when the read was parked, to the promise of the sink's next 'drain'. */
  run(): Promise<{ drained: Promise<void> } | undefined> {
    const { offset, remaining } = this.#progress;
    // A request without a range costs Ceph less, it seems because it then reads head and bytes together.
    const range = this.#proper === 200 ? [] : ['range', `bytes=${offset}-${offset + remaining - 1}`];
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    try {
      const request = this.#client.signGet(engineKey(this.#id), range);
      this.#transfer = this.#client.readers.send(request, this);
    } catch (error) {
      this.#fail(error);
    }
    return this.#outcome.promise;
  }

  get holding(): boolean | undefined {
    const held = this.#sink.writableLength;
    return held === undefined ? undefined : held > 0;
  }

  onHead({ status, length, contentRange }: EngineResponseHead): void {
    this.#status = status;
    if (status !== this.#proper) return;
    const { offset, remaining } = this.#progress;
    if (length === undefined)
      this.#fail(
        new BlobStoreUnavailableError(`the engine answered without a length while ${DOING}`, {
          retryable: false,
        }),
      );
    else if (length !== remaining)
      this.#fail(new BlobCorruptError(this.#id, `the engine returns ${length} of ${remaining} bytes`));
    else if (status === 206 && contentRange?.startsWith(`bytes ${offset}-`) === false)
      this.#fail(
        new BlobCorruptError(this.#id, `the engine returns a range that does not start at ${offset}`),
      );
  }

  onBody(chunk: Uint8Array): boolean {
    if (this.#settled) return true;
    if (this.#status !== this.#proper) {
      this.#keepErrorBody(chunk);
      return true;
    }
    this.#progress.whole = false;
    this.#progress.offset += chunk.length;
    this.#progress.remaining -= chunk.length;
    try {
      // After the last chunk there is nothing to hold back: the connection is free at once, whatever the sink does.
      if (this.#sink.write(chunk) || this.#progress.remaining === 0) return true;
    } catch (error) {
      this.#fail(error);
      return true;
    }
    this.#fullSince = performance.now();
    this.#sink.once('drain', this.#onDrain);
    // One timer for many pauses; it checks #fullSince when it fires.
    if (this.#timer === undefined && !this.#settled) this.#watchSink(0);
    return this.#fullSince === 0;
  }

  onEnd(): void {
    if (this.#settled) return;
    if (this.#status === this.#proper && this.#progress.remaining === 0) this.#settle(undefined);
    else this.#fail(this.#answerFault());
  }

  onError(error: Error): void {
    this.#fail(connectionFault(error, DOING));
  }

  #answerFault(): Error {
    const { offset } = this.#progress;
    const body = Buffer.concat(this.#errorBody);
    if (this.#status === this.#proper)
      return new BlobStoreUnavailableError(`${CONNECTION_LOST} while ${DOING}`, { retryable: true });
    if (this.#status === 404 && errorCode(body) === 'NoSuchKey') return new BlobNotFoundError(this.#id);
    if (this.#status === 416) return new BlobCorruptError(this.#id, `ends before byte ${offset}`);
    return responseError(this.#status, body, DOING);
  }

  readonly #onAbort = (): void => this.#fail(this.#signal?.reason);

  readonly #onDrain = (): void => {
    this.#fullSince = 0;
    if (this.#parked) this.#parked.resolve();
    else this.#transfer?.resume();
  };

  /** Checks again when the sink will have been full for long enough, unless it takes bytes by then. */
  #watchSink(waited: number): void {
    const { parkAfter, parkInCrowdAfter } = this.#client.limits;
    const next = waited < parkInCrowdAfter ? parkInCrowdAfter - waited : parkInCrowdAfter;
    this.#timer = setTimeout(
      () => {
        const waits = this.#fullSince === 0 ? 0 : performance.now() - this.#fullSince;
        const patience = this.#client.readers.isCrowded() ? parkInCrowdAfter : parkAfter;
        if (waits < patience) this.#watchSink(waits);
        else this.#park();
      },
      Math.ceil(Math.min(next, Math.max(0, parkAfter - waited))),
    );
  }

  #park(): void {
    this.#parked = Promise.withResolvers<void>();
    this.#settle({ drained: this.#parked.promise });
    this.#transfer?.abort();
  }

  #keepErrorBody(chunk: Uint8Array): void {
    this.#errorBytes += chunk.length;
    // A copy: the chunk's memory is reused.
    if (this.#errorBytes <= ERROR_BODY_LIMIT) this.#errorBody.push(Buffer.from(chunk));
    else this.#fail(responseError(this.#status, undefined, DOING));
  }

  #fail(reason: unknown): void {
    if (this.#settled) return;
    this.#release();
    this.#outcome.reject(reason);
    this.#transfer?.abort();
  }

  #settle(outcome: { drained: Promise<void> } | undefined): void {
    this.#release();
    this.#outcome.resolve(outcome);
  }

  #release(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

function unlessAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}
