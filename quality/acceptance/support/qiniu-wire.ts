/**
 * Requests as Qiniu's SDKs for Python, Go and Java put them on the wire, written down with their own headers, order and
 * habits. Signatures are made by the SDKs' rules from scratch, not by our code.
 */
import { createHmac } from 'node:crypto';
import type { AccessKeyPair } from '@millpond/protocol';
import { type RawResponse, rawFetch } from './raw.ts';

export const FORM = 'application/x-www-form-urlencoded';

/** What is known of the place and the time when a request is sent again. */
export interface Setting {
  readonly url: string;
  readonly host: string;
  readonly keys: AccessKeyPair;
  readonly bucket: string;
}

export interface RecordedRequest {
  readonly method: string;
  readonly target: string;
  /** In the client's own order and spelling, without Host, Authorization and Content-Length. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
  readonly sign?: 'Qiniu' | 'QBox' | { readonly upToken: string };
}

const encoded = (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

export const base64 = (text: string) => encoded(Buffer.from(text));
export const entry = (bucket: string, key: string) => base64(`${bucket}:${key}`);

function hmac({ accessKey, secretKey }: AccessKeyPair, ...pieces: (string | Uint8Array)[]): string {
  const running = createHmac('sha1', secretKey);
  for (const piece of pieces) running.update(piece);
  return `${accessKey}:${encoded(running.digest())}`;
}

export function upToken(keys: AccessKeyPair, policy: object): string {
  const encodedPolicy = base64(JSON.stringify(policy));
  return `${hmac(keys, encodedPolicy)}:${encodedPolicy}`;
}

/** `X-Qiniu-Date` of now. */
export function dateHeader(): readonly [string, string] {
  return ['X-Qiniu-Date', `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`];
}

export function send(setting: Setting, request: RecordedRequest): Promise<RawResponse> {
  const { method, target, headers = [], body = '' } = request;
  const authorization = authorizationOf(setting, request);
  return rawFetch(
    {
      method,
      target,
      headers: [
        ...headers,
        ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
      ],
      ...(method === 'GET' ? {} : { body }),
      host: setting.host,
    },
    setting.url,
  );
}

export function authorizationOf({ keys, host }: Setting, request: RecordedRequest): string | undefined {
  const { sign, method, target, headers = [], body = '' } = request;
  if (sign === undefined) return undefined;
  if (typeof sign === 'object') return `UpToken ${sign.upToken}`;
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isForm = contentType === FORM;
  if (sign === 'QBox') return `QBox ${hmac(keys, `${target}\n`, isForm ? body : '')}`;
  const own = headers
    .filter(([name]) => /^X-Qiniu-./.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}: ${value}\n`);
  const head = [
    `${method} ${target}\nHost: ${host}\n`,
    contentType === undefined ? '' : `Content-Type: ${contentType}\n`,
    ...own,
    '\n',
  ].join('');
  const isSigned = contentType !== undefined && contentType !== 'application/octet-stream';
  return `Qiniu ${hmac(keys, head, isSigned ? body : '')}`;
}

/** A form as each client writes it: names, order and boundary are its own. */
export function multipart(
  boundary: string,
  fields: readonly (readonly [name: string, value: string, further?: string])[],
): string {
  const parts = fields.map(
    ([name, value, further = '']) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${further}\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}
