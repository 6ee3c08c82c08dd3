/**
 * Whether a request came from Millpond, for receivers. Each signature is verified over the raw bytes received; secrets
 * are compared in constant time. A signature that does not cover the body says nothing about it: trust a JSON body only
 * when the Standard Webhooks signature or the event's own is good.
 */

import {
  type AccessKeyPair,
  type Dialect,
  dialects,
  Fault,
  FORM_TYPE,
  parseCredential,
  type SignedBody,
  verifyCallback,
  verifyManagement,
  verifyWebhook,
} from '@millpond/protocol';
import { beforeForwarding, type ReceivedRequest } from './forwarded.ts';
import { hashing } from './node/hashing.ts';

export interface VerifyOptions {
  /**
   * `whsec_…`, as `client.accounts.webhookSecrets()` or `millpond account webhook-secret` gives it; two during an exchange. One that is
   * empty or undefined, such as a variable of the environment that is not set, verifies nothing.
   */
  readonly secrets?: readonly (string | undefined)[];
  /** The account's access keys. One without its secret key verifies nothing. */
  readonly keys?: readonly AccessKeyPair[];
  /** Default: `svc`. */
  readonly dialect?: keyof typeof dialects;
  /** What the callback signature covers of a form body, where the server's setting differs from its dialect. */
  readonly signedBody?: SignedBody;
  /**
   * Also accepts what `millpond listen --forward-to` forwards, with the Host and path that it names: for development
   * only. Anybody can write those two headers, so a receiver that accepts them also accepts what was signed for another
   * address.
   */
  readonly forwarded?: boolean;
  /** Milliseconds since 1970; default: now. */
  readonly now?: number;
}

/** For each signature: good, bad, or absent. If secrets are given, an absent webhook signature is bad. */
export interface VerifyResult {
  readonly webhook: boolean | undefined;
  readonly event: boolean | undefined;
  readonly callback: boolean | undefined;
  /** At least one signature that covers the body is present, and none that could be verified is bad. */
  readonly ok: boolean;
}

/** The Standard Webhooks headers: over id, time and body, and at most 5 minutes old. */
export function verifyWebhookRequest(request: ReceivedRequest, verifyOptions: VerifyOptions): boolean {
  const { secrets = [], now = Date.now() } = verifyOptions;
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, header(request, name)]),
  );
  return verifyWebhook(hashing, secrets, headers, request.body, now / 1000);
}

/** `Authorization: Svc …` of a notification or live event: over method, target, Host, our headers and the body. */
export function verifyEventRequest(received: ReceivedRequest, verifyOptions: VerifyOptions): boolean {
  const request = asSigned(received, verifyOptions);
  const dialect = dialectOf(verifyOptions);
  const credential = parseCredential(header(request, 'authorization'), dialect);
  if (credential?.kind !== 'signature' || credential.scheme !== 'new') return false;
  const key = keysOf(verifyOptions).find(({ accessKey }) => accessKey === credential.accessKey);
  if (key === undefined) return false;
  const signed = {
    method: request.method,
    target: request.url,
    host: header(request, 'host') ?? '',
    contentType: header(request, 'content-type'),
    headers: Object.keys(request.headers).map((name) => [name, header(request, name) ?? ''] as const),
    body: request.body,
  };
  return guarded(() => verifyManagement(hashing, key.secretKey, signed, credential.signature, dialect));
}

/** `Authorization: SvcCb …` of an upload callback: over the target and, for a form, the URL-safe Base64 of the body (`qiniu`: the body). */
export function verifyCallbackRequest(request: ReceivedRequest, verifyOptions: VerifyOptions): boolean {
  const { url: target } = asSigned(request, verifyOptions);
  const signed = { target, contentType: header(request, 'content-type'), body: request.body };
  const authorization = header(request, 'authorization');
  const dialect = dialectOf(verifyOptions);
  const { signedBody = dialect.signedBody } = verifyOptions;
  return keysOf(verifyOptions).some((key) =>
    guarded(() => verifyCallback(hashing, key, signed, authorization, { ...dialect, signedBody })),
  );
}

/** All signatures of a request for which secrets or keys are given. */
export function verifyRequest(request: ReceivedRequest, verifyOptions: VerifyOptions): VerifyResult {
  const { scheme, callbackScheme } = dialectOf(verifyOptions);
  const authorization = header(request, 'authorization') ?? '';
  const hasKeys = verifyOptions.keys !== undefined;
  // Everything we send has one: removing it would leave the body to a signature that does not cover it.
  const webhook =
    verifyOptions.secrets === undefined ? undefined : verifyWebhookRequest(request, verifyOptions);
  const isEvent = hasKeys && authorization.startsWith(`${scheme} `);
  const event = isEvent ? verifyEventRequest(request, verifyOptions) : undefined;
  const isCallback = hasKeys && authorization.startsWith(`${callbackScheme} `);
  const callback = isCallback ? verifyCallbackRequest(request, verifyOptions) : undefined;
  const seen = [webhook, event, callback].filter((each) => each !== undefined);
  const isCovered = webhook || event || (callback && isFormOrEmpty(request));
  return { webhook, event, callback, ok: Boolean(isCovered) && seen.every(Boolean) };
}

/** Whether a callback signature covers everything: for a body of any other type it covers the target alone. */
function isFormOrEmpty(request: ReceivedRequest): boolean {
  return request.body.length === 0 || header(request, 'content-type') === FORM_TYPE;
}

function asSigned(request: ReceivedRequest, { forwarded = false }: VerifyOptions): ReceivedRequest {
  return forwarded ? beforeForwarding(request) : request;
}

/** Anybody can sign with an empty key. */
function keysOf({ keys = [] }: VerifyOptions): readonly AccessKeyPair[] {
  return keys.filter(({ accessKey, secretKey }) => accessKey && secretKey);
}

function dialectOf({ dialect = 'svc' }: VerifyOptions): Dialect {
  return dialects[dialect];
}

function header(request: ReceivedRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** What can't have been signed is not signed. */
function guarded(verify: () => boolean): boolean {
  try {
    return verify();
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
