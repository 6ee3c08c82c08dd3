/**
 * What the client gets after an upload: the default record, its own template, a redirect, or the business server's
 * answer. Everything that can fail before the object exists is done before: templates are rendered, the callback's signer
 * is ready, and the callback is recorded in the object's own commit.
 */
import { createHash } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import {
  checkKey,
  type Dialect,
  Fault,
  formatReturnLocation,
  renderTemplate,
  type TemplateValues,
  type WireRecord,
} from '@millpond/protocol';
import type {
  CallbackResult,
  CallbackSigner,
  Callbacks,
  DeliveriesFeature,
  NewDelivery,
} from '../../events/deliveries/index.ts';
import { type HttpResponse, jsonResponse, type RequestContext } from '../../platform/web/index.ts';
import type { CommitHook } from '../../storage/objects/index.ts';
import type { FinishedUpload } from './finished-upload.ts';
import type { ObjectDescription } from './object-description.ts';
import type { VerifiedUploadToken } from './upload-token.ts';
import { type InspectContent, uploadValues } from './variables.ts';

export interface AnswerDeps {
  readonly callbacks: Callbacks;
  readonly deliveries: DeliveriesFeature['callbackRecords'];
  readonly inspect: InspectContent;
  readonly dialect: Dialect;
  /** First path segments of our own signed calls. */
  readonly ownPaths: ReadonlySet<string>;
}

export interface DescribedUpload {
  readonly permit: VerifiedUploadToken;
  readonly finished: FinishedUpload;
  readonly description: ObjectDescription;
  /** Id of the task that the upload starts. */
  readonly persistentId: string | undefined;
  readonly context: RequestContext;
}

/** What the client gets: known before the object exists, or what a receiver answers once it does. */
export type AnswerSource = { readonly answer: HttpResponse } | { readonly callback: NewDelivery };

export interface PreparedAnswer {
  readonly onCommit: CommitHook | undefined;
  readonly told: AnswerSource;
  answer(): Promise<HttpResponse> | HttpResponse;
}

const NO_STORE = { 'cache-control': 'no-store' };

export class UploadResponses {
  readonly #deps: AnswerDeps;

  constructor(deps: AnswerDeps) {
    this.#deps = deps;
  }

  /** Refuses a policy whose callback is not allowed, before any byte is stored. */
  check({ policy }: VerifiedUploadToken): void {
    const urls = policy.callbackUrls.map((template) => renderTemplate(template, {}));
    this.#deps.callbacks.check(urls, policy.callbackHost);
    // For a JSON body, the signatures of callbacks and calls are the same: one of our own calls could be made the receiver.
    if (
      this.#deps.dialect.oldSigning &&
      urls.some((url) => this.#deps.ownPaths.has(new URL(url).pathname.split('/')[1] ?? ''))
    ) {
      throw new Fault('invalidPolicy', { hint: 'callbackUrl has the path of a call of this service' });
    }
  }

  async prepare(upload: DescribedUpload): Promise<PreparedAnswer> {
    const { policy } = upload.permit;
    if (policy.callbackUrls.length > 0) return this.#callback(upload);
    const answer = returnAnswer(policy.returnUrl, await this.#returnBody(upload));
    return { onCommit: undefined, told: { answer }, answer: () => answer };
  }

  /** Asks the receiver for the key, before the object exists. Without a key, only the answer is returned. */
  async fetchKey(upload: DescribedUpload): Promise<{ key: string | undefined; answer: HttpResponse }> {
    const { delivery, signer } = await this.#signedDelivery(upload);
    await this.#deps.deliveries.insert(delivery);
    const result = await this.#deps.callbacks.send(delivery, signer);
    if (!result.ok) return { key: undefined, answer: callbackResponse(toldOf(upload), delivery, result) };
    const named = readNamed(result.body);
    if (named !== undefined) return { key: named.key, answer: bodyAnswer(named.payload) };
    const refused = {
      ok: false,
      url: result.url,
      code: 200,
      error: 'the callback’s answer has no key',
    } as const;
    return { key: undefined, answer: callbackResponse(toldOf(upload), delivery, refused) };
  }

  async #callback(upload: DescribedUpload): Promise<PreparedAnswer> {
    const { delivery, signer } = await this.#signedDelivery(upload);
    return {
      onCommit: (transaction) => this.#deps.deliveries.insert(delivery, transaction),
      told: { callback: delivery },
      answer: async () =>
        callbackResponse(toldOf(upload), delivery, await this.#deps.callbacks.send(delivery, signer)),
    };
  }

  async #signedDelivery(upload: DescribedUpload): Promise<{ delivery: NewDelivery; signer: CallbackSigner }> {
    const { key } = upload.permit;
    const signer = await this.#deps.callbacks.signer(key.uid, key);
    return { delivery: await this.#delivery(upload), signer };
  }

  async #delivery(upload: DescribedUpload): Promise<NewDelivery> {
    const { permit, description, context } = upload;
    const { policy } = permit;
    const templates = policy.callbackBody === undefined ? [] : [policy.callbackBody];
    const values = await this.#values(upload, templates);
    const body = Buffer.from(
      policy.callbackBody === undefined ? '' : renderTemplate(policy.callbackBody, values),
    );
    const bodySha1 = createHash('sha1').update(body).digest('hex');
    return {
      id: newBlobId(),
      kind: 'callback',
      uid: permit.key.uid,
      accessKey: permit.key.accessKey,
      urls: policy.callbackUrls.map((url) => renderTemplate(url, { bodySha1 })),
      host: policy.callbackHost,
      contentType: policy.callbackBodyType,
      body,
      subject: `${permit.bucket.name}:${description.key}`,
      reqid: context.reqid,
    };
  }

  async #returnBody(upload: DescribedUpload): Promise<string> {
    const { returnBody } = upload.permit.policy;
    const { finished, description, persistentId } = upload;
    if (returnBody === undefined) {
      const answer: WireRecord<'Uploaded'> = { hash: finished.hash, key: description.key, persistentId };
      // Their names begin with `x:`, so they hide none of its own.
      const variables = this.#deps.dialect.answersVariables ? finished.customVariables : {};
      return JSON.stringify({ ...answer, ...variables });
    }
    return renderTemplate(returnBody, await this.#values(upload, [returnBody]));
  }

  #values(upload: DescribedUpload, templates: Parameters<typeof uploadValues>[1]): Promise<TemplateValues> {
    return uploadValues(upload, templates, this.#deps.inspect, upload.context.cancel);
  }
}

/** Undefined if the receiver was asked for a key and gave no valid one. */
function readNamed(body: string): { key: string; payload: string } | undefined {
  const named = JSON.parse(body, exactNumber) as { key?: unknown; payload?: unknown } | null;
  if (typeof named?.key !== 'string' || !isKey(named.key)) return undefined;
  return { key: named.key, payload: JSON.stringify(named.payload ?? {}) };
}

/** Keeps numbers as written, with digits that a JavaScript number can't hold. */
function exactNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value;
}

function isKey(text: string): boolean {
  try {
    checkKey(text);
    return true;
  } catch {
    return false;
  }
}

function bodyAnswer(body: string): HttpResponse {
  return { status: 200, headers: { ...NO_STORE, 'content-type': 'application/json' }, body };
}

function returnAnswer(returnUrl: string | undefined, body: string): HttpResponse {
  if (returnUrl === undefined) return bodyAnswer(body);
  const location = formatReturnLocation(returnUrl, body);
  return { status: 303, headers: { ...NO_STORE, location, 'content-type': 'application/json' }, body: '' };
}

/** What a client is told of its own upload if the callback fails. */
interface CallbackInput {
  readonly hash: string;
  readonly key: string;
  readonly token: string;
}

function toldOf({ permit, finished, description }: DescribedUpload): CallbackInput {
  return { hash: finished.hash, key: description.key, token: permit.token };
}

/** The receiver's answer; otherwise 579: a string that contains JSON. */
export function callbackResponse(
  { hash, key, token }: CallbackInput,
  delivery: NewDelivery,
  result: CallbackResult,
): HttpResponse {
  if (result.ok) return bodyAnswer(result.body);
  const error = JSON.stringify({
    callback_url: result.url,
    callback_bodyType: delivery.contentType,
    callback_body: delivery.body.toString(),
    token,
    err_code: result.code,
    error: result.error,
    hash,
    key,
  });
  const why = `the object is stored, but its callback to ${URL.parse(result.url)?.host ?? 'no URL'} failed: ${result.error}`;
  return { ...jsonResponse({ error }, { status: 579, headers: NO_STORE }), why };
}
