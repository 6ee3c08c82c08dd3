/**
 * The last request of a resumable upload, retried because its answer was lost. The answer is kept in the object's own
 * commit and given again, if the object is still the one it created; nothing else happens again.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@millpond/protocol';
import { type Callbacks, KEPT_ANSWER_BYTES } from '../../../events/deliveries/index.ts';
import type { HttpResponse, RequestContext } from '../../../platform/web/index.ts';
import type { CreatedObject } from '../object-creation.ts';
import { type AnswerSource, callbackResponse } from '../upload-response.ts';
import type { VerifiedUploadToken } from '../upload-token.ts';
import type { CompletedRow, CompletedStore, CompletedUpload } from './completed.store.ts';

/** What to keep of an upload that ends. */
export type RecordCompletion = (createdObject: CreatedObject) => CompletedUpload;

/** How often a call that waits for another's callback checks whether it has ended. */
const CHECK_INTERVAL_MS = 200;
const DELETED_BATCH = 1000;

export class CompletionReplay {
  readonly #store: CompletedStore;
  readonly #callbacks: Callbacks;

  constructor(store: CompletedStore, callbacks: Callbacks) {
    this.#store = store;
    this.#callbacks = callbacks;
  }

  /** Ends an upload; if the same request has already ended it, repeats that request's answer. */
  async run(
    context: RequestContext,
    permit: VerifiedUploadToken,
    gone: 'noSuchUpload' | 'invalidUploadContext',
    end: (keep: RecordCompletion) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const request = digestOf(context, permit);
    try {
      return await end((createdObject) => this.#completed(request, permit, createdObject));
    } catch (error) {
      if (!(error instanceof Fault) || error.fault !== gone) throw error;
      const response = await this.#again(request, permit, context.cancel);
      if (response === undefined) throw error;
      return response;
    }
  }

  async forget(signal: AbortSignal): Promise<number> {
    let count = 0;
    for (let gone = DELETED_BATCH; gone === DELETED_BATCH && !signal.aborted; count += gone)
      gone = await this.#store.forget(DELETED_BATCH);
    return count;
  }

  #completed(
    request: Buffer,
    { bucket }: VerifiedUploadToken,
    { key, putTime, told }: CreatedObject,
  ): CompletedUpload {
    return {
      request: isKept(told) ? request : undefined,
      bucketId: bucket.id,
      key,
      putTime,
      ...('answer' in told
        ? { answer: JSON.stringify(told.answer), callback: undefined }
        : {
            answer: undefined,
            callback: { deliveryId: told.callback.id, maxMs: this.#callbacks.longestMs(told.callback) },
          }),
    };
  }

  async #again(
    request: Buffer,
    permit: VerifiedUploadToken,
    cancel: AbortSignal,
  ): Promise<HttpResponse | undefined> {
    const row = await this.#store.find(request);
    if (row === undefined) return undefined;
    if (row.answer !== null) return JSON.parse(row.answer) as HttpResponse;
    return this.#calledBack(request, row, permit, cancel);
  }

  /**
   * What the receiver answered, or will answer. If the process that called it died and the result is unknown, the same
   * delivery is sent again, under its own id: the receiver may or may not have seen it.
   */
  async #calledBack(
    request: Buffer,
    row: CompletedRow,
    { key, token }: VerifiedUploadToken,
    cancel: AbortSignal,
  ): Promise<HttpResponse | undefined> {
    for (;;) {
      const found = await this.#callbacks.findPrior(row.delivery_id ?? '');
      if (found === undefined || found.known === 'delivered') return undefined;
      const { delivery } = found;
      const told = { hash: row.hash, key: row.key, token };
      if (found.known === 'result') return callbackResponse(told, delivery, found.result);
      if (await this.#store.claimCallback(request, this.#callbacks.longestMs(delivery))) {
        const signer = await this.#callbacks.signer(key.uid, key);
        return callbackResponse(told, delivery, await this.#callbacks.send(delivery, signer));
      }
      await sleep(CHECK_INTERVAL_MS, undefined, { signal: cancel });
    }
  }
}

/** Covers the caller, what the policy promises (except its deadline: a token may be renewed), and every byte of the request. */
function digestOf(context: RequestContext, { policy, key }: VerifiedUploadToken): Buffer {
  const { deadline: _, ...promised } = policy;
  const head = JSON.stringify([key.accessKey, promised, context.target.raw]);
  return createHash('sha256').update(head).update('\n').update(context.body).digest();
}

function isKept(answerSource: AnswerSource): boolean {
  if ('callback' in answerSource) return true;
  const { body, headers } = answerSource.answer;
  return Buffer.byteLength(body + (headers.location ?? '')) < KEPT_ANSWER_BYTES;
}
