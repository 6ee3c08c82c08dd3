/** Management calls whose signature and request can be made to differ, sent raw. */
import { type AccessKeyPair, type Dialect, dialects, FORM_TYPE, signManagement } from '@millpond/protocol';
import { hashing } from '@millpond/testing';
import { type RawRequest, type RawResponse, rawFetch } from './raw.ts';
import { target } from './target.ts';

export interface Call {
  readonly method?: string;
  readonly target: string;
  /** Beside Host, Content-Type and Authorization. */
  readonly headers?: readonly (readonly [string, string])[];
  /** Default: form. `null` sends none. */
  readonly contentType?: string | null;
  readonly body?: string;
  readonly host?: string;
}

export interface Signer {
  readonly url?: string;
  readonly keys?: AccessKeyPair;
  readonly dialect?: Dialect;
}

/** The Authorization header for a call, in the new form. */
export function authorize(call: Call, signer: Signer = {}): string {
  const { url = target.url, keys = target.account, dialect = dialects.svc } = signer;
  const { method = 'POST', contentType = FORM_TYPE, host = new URL(url).host, headers = [], body } = call;
  return signManagement(
    hashing,
    keys,
    {
      method,
      target: call.target,
      host,
      contentType: contentType ?? undefined,
      headers,
      body: body === undefined ? undefined : Buffer.from(body),
    },
    dialect,
  );
}

/** Sends a call with the Authorization given, or none. */
export function send(call: Call, authorization?: string, url: string = target.url): Promise<RawResponse> {
  const { contentType = FORM_TYPE, headers = [] } = call;
  const request: RawRequest = {
    method: call.method ?? 'POST',
    target: call.target,
    headers: [
      ...headers,
      ...(contentType === null ? [] : [['Content-Type', contentType] as const]),
      ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
    ],
    body: call.body ?? '',
    ...(call.host === undefined ? {} : { host: call.host }),
  };
  return rawFetch(request, url);
}

/** Signs and sends one and the same call. */
export function sendSigned(call: Call, signer: Signer = {}): Promise<RawResponse> {
  return send(call, authorize(call, signer), signer.url);
}
