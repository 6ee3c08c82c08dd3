/** Requests as text, built before they are measured. */
import { dialects, encodeListMarker, FORM_TYPE, formatEntry, signManagement } from '@millpond/protocol';
import { type Account, hashing } from '@millpond/testing';
import { hostOf } from './load/presign.ts';
import type { Address } from './load/work.ts';

export function addressOf(url: string): Address {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === '' ? 80 : port) };
}

export function getRequest(to: Address, target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${hostOf(to)}\r\n\r\n`;
}

export function statRequest(to: Address, account: Account, bucket: string, key: string): string {
  return signedGet(to, account, `/stat/${formatEntry(bucket, key)}`);
}

/** A page of keys, or with `delimiter=…` of groups, after this one. */
export function listRequest(
  to: Address,
  account: Account,
  bucket: string,
  after: string,
  parameters: string,
): string {
  const marker = encodeURIComponent(encodeListMarker(after));
  return signedGet(to, account, `/list?bucket=${bucket}&marker=${marker}&${parameters}`);
}

/** Everything in a bucket, as a stream. */
export function streamRequest(to: Address, account: Account, bucket: string): string {
  return signedGet(to, account, `/v2/list?bucket=${bucket}`);
}

/** Stats of all these keys, in a batch. */
export function batchRequest(
  to: Address,
  account: Account,
  entries: readonly { readonly bucket: string; readonly key: string }[],
): string {
  const body = entries.map(({ bucket, key }) => `op=/stat/${formatEntry(bucket, key)}`).join('&');
  return signedForm(to, account, '/batch', body);
}

/** A call whose fields are a form. */
export function signedForm(to: Address, account: Account, target: string, body: string): string {
  const host = hostOf(to);
  const request = {
    method: 'POST',
    target,
    host,
    contentType: FORM_TYPE,
    headers: [],
    body: Buffer.from(body),
  };
  const authorization = signManagement(hashing, account, request, dialects.svc);
  return (
    `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${FORM_TYPE}\r\n` +
    `Content-Length: ${body.length}\r\nAuthorization: ${authorization}\r\n\r\n${body}`
  );
}

function signedGet(to: Address, account: Account, target: string): string {
  const host = hostOf(to);
  const request = { method: 'GET', target, host, contentType: undefined, headers: [], body: undefined };
  const authorization = signManagement(hashing, account, request, dialects.svc);
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`;
}
