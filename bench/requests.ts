/** Requests as text, made before they are measured. */
import { dialects, encodeListMarker, FORM_TYPE, formatEntry, signManagement } from '@millpond/protocol';
import { type Account, hashing } from '@millpond/testing';
import { hostOf } from './load/presign.ts';
import type { Address } from './load/work.ts';

export function getRequest(to: Address, target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${hostOf(to)}\r\n\r\n`;
}

export function statRequest(to: Address, account: Account, bucket: string, key: string): string {
  return signedGet(to, account, `/stat/${formatEntry(bucket, key)}`);
}

export function listRequest(
  to: Address,
  account: Account,
  bucket: string,
  after: string,
  limit: number,
): string {
  const marker = encodeURIComponent(encodeListMarker(after));
  return signedGet(to, account, `/list?bucket=${bucket}&limit=${limit}&marker=${marker}`);
}

/** One page of groups, after a group. */
export function groupsRequest(
  to: Address,
  account: Account,
  bucket: string,
  after: string,
  limit: number,
): string {
  const marker = encodeURIComponent(encodeListMarker(after));
  return signedGet(to, account, `/list?bucket=${bucket}&delimiter=%2F&limit=${limit}&marker=${marker}`);
}

/** Everything in a bucket, as a stream. */
export function streamRequest(to: Address, account: Account, bucket: string): string {
  return signedGet(to, account, `/v2/list?bucket=${bucket}`);
}

/** Stats of all these keys, by batch. */
export function batchRequest(
  to: Address,
  account: Account,
  entries: readonly { readonly bucket: string; readonly key: string }[],
): string {
  const body = entries.map(({ bucket, key }) => `op=/stat/${formatEntry(bucket, key)}`).join('&');
  const host = hostOf(to);
  const request = { method: 'POST', target: '/batch', host, contentType: FORM_TYPE, headers: [] };
  const authorization = signManagement(
    hashing,
    account,
    { ...request, body: Buffer.from(body) },
    dialects.svc,
  );
  return (
    `POST /batch HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${FORM_TYPE}\r\n` +
    `Content-Length: ${body.length}\r\nAuthorization: ${authorization}\r\n\r\n${body}`
  );
}

function signedGet(to: Address, account: Account, target: string): string {
  const host = hostOf(to);
  const request = { method: 'GET', target, host, contentType: undefined, headers: [], body: undefined };
  const authorization = signManagement(hashing, account, request, dialects.svc);
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`;
}
