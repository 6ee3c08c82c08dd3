/**
 * Upload callbacks: one try per URL, in turn, until one answers 200 with JSON. Signed in the callback form and also with
 * the Standard Webhooks headers. Each try is recorded.
 */
import type { Log } from '@millpond/base';
import { type OutboundClient, OutboundError } from '@millpond/outbound';
import {
  type AccessKeyPair,
  type Dialect,
  decodeUtf8,
  Fault,
  MIB,
  signCallback,
  signWebhook,
} from '@millpond/protocol';
import type { Tenants, WebhookSecrets } from '../../identity/accounts/index.ts';
import { nodeHashing } from '../../platform/hashing.ts';
import type { Attempt, CallbackRecord, DeliveryStore, NewDelivery } from './deliveries.store.ts';
import { type StoredHeaders, storedRequestHeaders, storedResponseHeaders } from './stored-headers.ts';

export interface CallbackDeps {
  readonly store: DeliveryStore;
  readonly outbound: OutboundClient;
  readonly secrets: WebhookSecrets;
  readonly tenants: Pick<Tenants, 'known'>;
  readonly dialect: Dialect;
  readonly log: Log;
}

/** What signs a callback, in both forms. */
export interface CallbackSigner {
  readonly keys: AccessKeyPair;
  readonly secrets: readonly string[];
}

export type CallbackResult =
  | { readonly ok: true; readonly url: string; readonly body: string }
  /** `code` is the receiver's status, or 0 if there was no answer. */
  | { readonly ok: false; readonly url: string; readonly code: number; readonly error: string };

/** What is known of an earlier callback. */
export type PriorCallback =
  | { readonly known: 'nothing'; readonly delivery: NewDelivery }
  | { readonly known: 'result'; readonly delivery: NewDelivery; readonly result: CallbackResult }
  /** It was delivered, but its answer was too long to be recorded. */
  | { readonly known: 'delivered' };

const PER_URL_TIMEOUT_MS = 10_000;
const TOTAL_TIMEOUT_MS = 30_000;
/** Timers may fire a little early: with less time than this a receiver would work on an answer that nobody waits for. */
const MIN_ATTEMPT_MS = 200;
const MAX_ANSWER_BYTES = MIB;
/** How much of an answer is recorded. */
export const KEPT_ANSWER_BYTES = 16 * 1024;
/** Time to record the end of a callback, on a busy day. */
const RECORD_TIMEOUT_MS = 5_000;

export class Callbacks {
  readonly #deps: CallbackDeps;

  constructor(deps: CallbackDeps) {
    this.#deps = deps;
  }

  /**
   * Refuses a URL that no callback could ever be made to, before anything is stored. Denied addresses are not checked
   * here: written out or behind a name, they fail when called, in the same way.
   */
  check(urls: readonly string[], host: string | undefined): void {
    for (const url of urls) {
      try {
        this.#deps.outbound.check(url, host);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        if (error.blocked?.address === undefined) throw new Fault('invalidPolicy', { hint: error.detail });
      }
    }
  }

  /** Call it before the object is committed: afterwards nothing of ours may fail, or the client would be told to upload again. */
  async signer(uid: bigint, keys: AccessKeyPair): Promise<CallbackSigner> {
    return { keys, secrets: await this.#deps.secrets.of(uid) };
  }

  /** The delivery is in the database already; its end is recorded there too. */
  async send(delivery: NewDelivery, signer: CallbackSigner): Promise<CallbackResult> {
    const attempts: Attempt[] = [];
    const deadline = performance.now() + TOTAL_TIMEOUT_MS;
    let result: CallbackResult = {
      ok: false,
      url: delivery.urls[0] ?? '',
      code: 0,
      error: 'no callback url',
    };
    for (const url of delivery.urls) {
      const left = deadline - performance.now();
      if (left < MIN_ATTEMPT_MS) break;
      const { attempt, outcome } = await this.#try(delivery, signer, url, Math.min(PER_URL_TIMEOUT_MS, left));
      attempts.push(attempt);
      result = outcome;
      if (outcome.ok) break;
    }
    await this.#settle(delivery, result, attempts);
    return result;
  }

  /** After this long, the process that makes this callback has recorded its outcome, or is gone. */
  longestMs({ urls }: Pick<NewDelivery, 'urls'>): number {
    return Math.min(TOTAL_TIMEOUT_MS, urls.length * PER_URL_TIMEOUT_MS) + RECORD_TIMEOUT_MS;
  }

  /** Undefined if there is no record of it. */
  async findPrior(id: string): Promise<PriorCallback | undefined> {
    const record = await this.#deps.store.callback(id);
    return record && knownOf(record);
  }

  /** The client gets its answer whatever becomes of the record: if it can't be written, it says unsent, which is true enough. */
  async #settle(delivery: NewDelivery, result: CallbackResult, attempts: readonly Attempt[]): Promise<void> {
    try {
      await this.#deps.store.settle(delivery.id, result.ok ? 'delivered' : 'failed', attempts);
    } catch (error) {
      this.#deps.log.warn(
        { delivery: delivery.id, error: (error as Error).message },
        'the outcome of a callback could not be recorded',
      );
    }
  }

  async #try(
    delivery: NewDelivery,
    signer: CallbackSigner,
    url: string,
    totalMs: number,
  ): Promise<{ attempt: Attempt; outcome: CallbackResult }> {
    const begun = performance.now();
    const nothing = { response: undefined, status: undefined, answerHeaders: undefined };
    let requestHeaders: StoredHeaders | undefined;
    const elapsed = () => Math.round(performance.now() - begun);
    try {
      const answer = await this.#deps.outbound.send({
        url,
        method: 'POST',
        headers: this.#headers(delivery, signer, url),
        body: delivery.body,
        hostOverride: delivery.host,
        party: this.#deps.tenants.known(delivery.uid),
        onHead: (headers) => {
          requestHeaders = storedRequestHeaders(headers);
        },
        limits: {
          connectMs: Math.min(3000, totalMs),
          headersMs: totalMs,
          idleMs: totalMs,
          totalMs,
          maxBodyBytes: MAX_ANSWER_BYTES,
          maxHeaderBytes: 16 * 1024,
        },
      });
      const outcome = toCallbackResult(url, answer.status, answer.body);
      const response = answer.body.subarray(0, KEPT_ANSWER_BYTES);
      const error = outcome.ok ? undefined : outcome.error;
      const answerHeaders = storedResponseHeaders(answer.headers);
      const { status } = answer;
      return {
        attempt: { url, status, durationMs: elapsed(), requestHeaders, answerHeaders, response, error },
        outcome,
      };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const outcome = { ok: false, url, code: 0, error: error.detail } as const;
      return {
        attempt: { ...nothing, url, requestHeaders, durationMs: elapsed(), error: error.detail },
        outcome,
      };
    }
  }

  #headers(delivery: NewDelivery, { keys, secrets }: CallbackSigner, url: string): Record<string, string> {
    const { pathname, search } = new URL(url);
    const request = { target: pathname + search, contentType: delivery.contentType, body: delivery.body };
    const webhook = signWebhook(nodeHashing, secrets, {
      id: delivery.id,
      timestamp: Math.floor(Date.now() / 1000),
      body: delivery.body,
    });
    return {
      ...webhook,
      'content-type': delivery.contentType,
      authorization: signCallback(nodeHashing, keys, request, this.#deps.dialect),
      'x-reqid': delivery.reqid,
    };
  }
}

function knownOf({ delivery, state, last }: CallbackRecord): PriorCallback {
  if (state === 'unsent') return { known: 'nothing', delivery };
  const url = last?.url ?? delivery.urls[0] ?? '';
  if (state !== 'delivered' || last?.response === undefined || last.status === undefined) {
    const error = last?.error ?? 'the callback is being sent again';
    return { known: 'result', delivery, result: { ok: false, url, code: last?.status ?? 0, error } };
  }
  if (last.response.length >= KEPT_ANSWER_BYTES) return { known: 'delivered' };
  return { known: 'result', delivery, result: toCallbackResult(url, last.status, last.response) };
}

function toCallbackResult(url: string, code: number, bytes: Buffer): CallbackResult {
  const body = decodeUtf8(bytes);
  const value = body === undefined ? undefined : parseJson(body);
  if (code === 200 && body !== undefined && value !== undefined) return { ok: true, url, body };
  const own = typeof value === 'object' && value !== null ? (value as { error?: unknown }).error : undefined;
  return {
    ok: false,
    url,
    code,
    error: typeof own === 'string' ? own : code === 200 ? 'unexpected response' : `status ${code}`,
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
