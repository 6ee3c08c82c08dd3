/** Calls on buckets in short words, and what they answer. */
import { type Account, type SignedCall, signedFetch } from '@millpond/testing';
import { expect } from 'vitest';
import { target } from '../target.ts';

/** Where calls go, and who makes them. */
export interface Site {
  readonly url: string;
  readonly account: Pick<Account, 'accessKey' | 'secretKey'>;
}

export function bucketCall(path: string, call: SignedCall = {}, site: Site = target): Promise<Response> {
  return signedFetch(site.url, site.account, path, call);
}

/** The JSON of a call that must succeed. */
export async function bucketJson<T = unknown>(
  path: string,
  call: SignedCall = {},
  site: Site = target,
): Promise<T> {
  const answer = await bucketCall(path, call, site);
  const text = await answer.text();
  expect([path, answer.status], text).toEqual([path, 200]);
  return JSON.parse(text) as T;
}

/** A call that must succeed with an empty body. */
export async function bucketDo(path: string, call: SignedCall = {}, site: Site = target): Promise<void> {
  const answer = await bucketCall(path, call, site);
  expect([path, answer.status, await answer.text()]).toEqual([path, 200, '']);
  expect(answer.headers.get('content-type')).toBe('application/json');
}

export function form(fields: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(entries).toString();
}
