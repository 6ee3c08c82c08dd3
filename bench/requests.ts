/** Requests as text, made before they are measured. */
import { dialects, encodeListMarker, formatEntry, signManagement } from '@millpond/protocol';
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

function signedGet(to: Address, account: Account, target: string): string {
  const host = hostOf(to);
  const request = { method: 'GET', target, host, contentType: undefined, headers: [], body: undefined };
  const authorization = signManagement(hashing, account, request, dialects.svc);
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`;
}
