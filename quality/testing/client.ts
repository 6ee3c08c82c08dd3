/** Requests as an API client makes them: signed calls, tokens, forms. Uses nothing of the server. */
import { createHash, createHmac, hash } from 'node:crypto';
import {
  type AccessKeyPair,
  type Dialect,
  dialects,
  FORM_TYPE,
  formatEntry,
  type HashInput,
  type Hashing,
  makeUploadToken,
  type SecretKey,
  signManagement,
} from '@millpond/protocol';

export const hashing: Hashing = {
  sha1: () => createHash('sha1'),
  sha1Of: (bytes) => hash('sha1', bytes, 'buffer'),
  hmacSha1: (secretKey, inputs) => hmac('sha1', secretKey, inputs),
  hmacSha256: (secretKey, inputs) => hmac('sha256', secretKey, inputs),
};

function hmac(algorithm: string, secretKey: SecretKey, inputs: readonly HashInput[]): Buffer {
  const running = createHmac(algorithm, secretKey);
  for (const input of inputs)
    running.update(typeof input === 'string' ? Buffer.from(input, 'latin1') : input);
  return running.digest();
}

export interface SignedCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: form. `null` sends none. */
  readonly contentType?: string | null;
  readonly dialect?: Dialect;
  readonly signal?: AbortSignal;
}

/** A management call, signed in the new form. `target` is the raw path and query. */
export function signedFetch(
  url: string,
  keys: AccessKeyPair,
  target: string,
  call: SignedCall = {},
): Promise<Response> {
  const { method = 'POST', headers = {}, body, contentType = FORM_TYPE, dialect = dialects.svc } = call;
  const authorization = signManagement(
    hashing,
    keys,
    {
      method,
      target,
      host: new URL(url).host,
      contentType: contentType ?? undefined,
      headers: Object.entries(headers),
      body: body === undefined ? undefined : Buffer.from(body),
    },
    dialect,
  );
  return fetch(url + target, {
    method,
    headers: { ...headers, ...(contentType === null ? {} : { 'content-type': contentType }), authorization },
    ...(body === undefined ? {} : { body }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
}

export function uploadToken(keys: AccessKeyPair, policy: Record<string, unknown>): string {
  const deadline = Math.floor(Date.now() / 1000) + 3600;
  return makeUploadToken(hashing, keys, JSON.stringify({ deadline, ...policy }));
}

export interface FormUpload {
  readonly token?: string;
  readonly key?: string;
  readonly fileName?: string;
  readonly mimeType?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export async function uploadForm(
  url: string,
  content: Uint8Array<ArrayBuffer> | string,
  upload: FormUpload,
): Promise<Response> {
  const form = new FormData();
  if (upload.token !== undefined) form.set('token', upload.token);
  if (upload.key !== undefined) form.set('key', upload.key);
  for (const [name, value] of Object.entries(upload.fields ?? {})) form.set(name, value);
  form.set('file', new Blob([content], { type: upload.mimeType ?? '' }), upload.fileName ?? 'file');
  return fetch(`${url}/`, { method: 'POST', body: form });
}

export async function createBucket(url: string, keys: AccessKeyPair, name: string): Promise<void> {
  const answer = await signedFetch(url, keys, `/mkbucketv3/${name}/region/z0`);
  if (!answer.ok) throw new Error(`creating bucket ${name}: ${answer.status} ${await answer.text()}`);
}

export function stat(url: string, keys: AccessKeyPair, bucket: string, key: string): Promise<Response> {
  return signedFetch(url, keys, `/stat/${formatEntry(bucket, key)}`, { method: 'GET' });
}
