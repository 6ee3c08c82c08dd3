/**
 * The last request of a resumable upload, retried because its answer was lost. The answer is kept in the object's own
 * commit and given again, if the object is still the one it created; nothing else happens again.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@millpond/protocol';
import { type Callbacks, KEPT_ANSWER_BYTES } from '../../../events/deliveries/index.ts';
import type { Answer, Call } from '../../../platform/web/index.ts';
import type { Ended } from '../object-creation.ts';
import type { Permit } from '../permit.ts';
import { callbackAnswer, type Told } from '../uploads.answers.ts';
import type { CompletedRow, CompletedStore, CompletedUpload } from './completed.store.ts';

/** What to keep of an upload that ends. */
export type KeepAnswer = (ended: Ended) => CompletedUpload;

/** How often a call that waits for another's callback checks whether it has ended. */
const LOOK_MS = 200;
const FORGOTTEN_AT_ONCE = 1000;

export class Repeats {
  readonly #store: CompletedStore;
  readonly #callbacks: Callbacks;

  constructor(store: CompletedStore, callbacks: Callbacks) {
    this.#store = store;
    this.#callbacks = callbacks;
  }

  /** Ends an upload; if the same request has already ended it, repeats that request's answer. */
  async orRepeat(
    call: Call,
    permit: Permit,
    gone: 'noSuchUpload' | 'invalidUploadContext',
    end: (keep: KeepAnswer) => Promise<Answer>,
  ): Promise<Answer> {
    const request = digestOf(call, permit);
    try {
      return await end((ended) => this.#completed(request, permit, ended));
    } catch (error) {
      if (!(error instanceof Fault) || error.fault !== gone) throw error;
      const answer = await this.#again(request, permit, call.cancel);
      if (answer === undefined) throw error;
      return answer;
    }
  }

  async forget(signal: AbortSignal): Promise<number> {
    let count = 0;
    for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE && !signal.aborted; count += gone)
      gone = await this.#store.forget(FORGOTTEN_AT_ONCE);
    return count;
  }

  #completed(request: Buffer, { bucket }: Permit, { key, putTime, told }: Ended): CompletedUpload {
    return {
      request: isKept(told) ? request : undefined,
      bucketId: bucket.id,
      key,
      putTime,
      ...('answer' in told
        ? { answer: JSON.stringify(told.answer), callback: undefined }
        : {
            answer: undefined,
            callback: { deliveryId: told.callback.id, longestMs: this.#callbacks.longestMs(told.callback) },
          }),
    };
  }

  async #again(request: Buffer, permit: Permit, cancel: AbortSignal): Promise<Answer | undefined> {
    const row = await this.#store.find(request);
    if (row === undefined) return undefined;
    if (row.answer !== null) return JSON.parse(row.answer) as Answer;
    return this.#calledBack(request, row, permit, cancel);
  }

  /**
   * What the receiver answered, or will answer. If the process that called it died and the result is unknown, the same
   * delivery is sent again, under its own id: the receiver may or may not have seen it.
   */
  async #calledBack(
    request: Buffer,
    row: CompletedRow,
    { key, token }: Permit,
    cancel: AbortSignal,
  ): Promise<Answer | undefined> {
    for (;;) {
      const found = await this.#callbacks.known(row.delivery_id ?? '');
      if (found === undefined || found.known === 'delivered') return undefined;
      const { delivery } = found;
      const told = { hash: row.hash, key: row.key, token };
      if (found.known === 'result') return callbackAnswer(told, delivery, found.result);
      if (await this.#store.takeCallback(request, this.#callbacks.longestMs(delivery))) {
        const signer = await this.#callbacks.signer(key.uid, key);
        return callbackAnswer(told, delivery, await this.#callbacks.send(delivery, signer));
      }
      await sleep(LOOK_MS, undefined, { signal: cancel });
    }
  }
}

/** Covers the caller, what the policy promises (except its deadline: a token may be renewed), and every byte of the request. */
function digestOf(call: Call, { policy, key }: Permit): Buffer {
  const { deadline: _, ...promised } = policy;
  const head = JSON.stringify([key.accessKey, promised, call.target.raw]);
  return createHash('sha256').update(head).update('\n').update(call.body).digest();
}

function isKept(told: Told): boolean {
  if ('callback' in told) return true;
  const { body, headers } = told.answer;
  return Buffer.byteLength(body + (headers.location ?? '')) < KEPT_ANSWER_BYTES;
}
