/** The callback of an asynchronous fetch: like an upload's, recorded with the object and sent once the object exists. */
import { createHash } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import { Fault, nameValues, renderTemplate } from '@millpond/protocol';
import type {
  CallbackSigner,
  Callbacks,
  DeliveriesFeature,
  NewDelivery,
} from '../../events/deliveries/index.ts';
import type { Keyring, Principal } from '../../identity/accounts/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { AsyncRow } from './async-fetches.store.ts';
import { type AsyncCallback, asArgument, parseCallback } from './async-request.ts';
import { type FetchedObject, nameInUrl } from './fetched-object.ts';

export interface AsyncCallbackDeps {
  readonly callbacks: Callbacks;
  readonly deliveries: DeliveriesFeature['callbackRecords'];
  readonly keyring: Keyring;
  /** Whether a callback to this URL could be mistaken for one of our own calls. */
  readonly isOwnPath: (url: string) => boolean;
}

export class AsyncCallbacks {
  readonly #deps: AsyncCallbackDeps;

  constructor(deps: AsyncCallbackDeps) {
    this.#deps = deps;
  }

  /** Refuses a callback that is not allowed, and returns the key that signs it. */
  async signer({ uid, key }: Principal, callback: AsyncCallback | undefined): Promise<string> {
    if (callback === undefined) return key?.accessKey ?? '';
    const { callbackUrls, callbackHost } = parseCallback(callback);
    const urls = callbackUrls.map((url) => renderTemplate(url, {}));
    try {
      this.#deps.callbacks.check(urls, callbackHost);
    } catch (error) {
      throw asArgument(error);
    }
    if (urls.some(this.#deps.isOwnPath))
      throw new Fault('invalidArgument', { hint: 'callbackurl has the path of a call of this service' });
    const signer = key ?? (await this.#deps.keyring.rootOf(uid));
    if (signer === undefined)
      throw new Fault('invalidArgument', { hint: 'the account has no key to sign a callback with' });
    return signer.accessKey;
  }

  record(delivery: NewDelivery, on: Queryable): Promise<void> {
    return this.#deps.deliveries.insert(delivery, on);
  }

  /**
   * The key of the request, read before the object is committed; undefined if it has been disabled since: then nothing
   * can sign.
   */
  async signerOf({ uid, accessKey }: NewDelivery): Promise<CallbackSigner | undefined> {
    const key = await this.#deps.keyring.findUsed(accessKey);
    return key && this.#deps.callbacks.signer(uid, key);
  }

  async send(delivery: NewDelivery, signer: CallbackSigner | undefined): Promise<void> {
    const { callbacks, deliveries } = this.#deps;
    if (signer === undefined) await deliveries.settle(delivery.id, 'failed', []);
    else await callbacks.send(delivery, signer);
  }
}

export function renderedCallback(
  callback: AsyncCallback,
  { bucket, key, file, mimeType }: FetchedObject,
  { uid, request }: Pick<AsyncRow, 'uid' | 'request'>,
): NewDelivery {
  const { callbackUrls, callbackBody, callbackHost, callbackBodyType } = parseCallback(callback);
  const values = {
    ...nameValues({ fname: nameInUrl(file.url), key, mimeType }),
    bucket: bucket.name,
    etag: file.hash,
    fsize: file.size,
  };
  const body = Buffer.from(callbackBody === undefined ? '' : renderTemplate(callbackBody, values));
  const bodySha1 = createHash('sha1').update(body).digest('hex');
  return {
    id: newBlobId(),
    kind: 'callback',
    uid,
    accessKey: request.accessKey,
    urls: callbackUrls.map((url) => renderTemplate(url, { bodySha1 })),
    host: callbackHost,
    contentType: callbackBodyType,
    body,
    subject: `${bucket.name}:${key}`,
    reqid: request.reqid,
  };
}
