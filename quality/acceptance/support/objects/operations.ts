/** Management operations on objects, called as their owner unless somebody else is named. */
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import { expect } from 'vitest';
import { expectRefusal } from '../expectations.ts';
import { target, upload } from '../target.ts';

/** `POST` of a raw target: `operate('/delete/…')`. */
export function callOperation(path: string, keys = target.account, url = target.url): Promise<Response> {
  return signedFetch(url, keys, path);
}

export interface At {
  readonly bucket: string;
  readonly key: string;
}

export function relocate(kind: 'copy' | 'move', from: At, to: At, force?: boolean): Promise<Response> {
  const path = `/${kind}/${formatEntry(from.bucket, from.key)}/${formatEntry(to.bucket, to.key)}`;
  return callOperation(force === undefined ? path : `${path}/force/${force}`);
}

/** The answer of an operation that has nothing to say. */
export async function expectDone(answer: Response): Promise<void> {
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(answer.headers.get('content-type')).toBe('application/json');
}

export async function put(bucket: string, key: string, content: string, policy = {}): Promise<void> {
  const answer = await upload({ scope: `${bucket}:${key}`, ...policy }, content, { key });
  expect(answer.status, await answer.clone().text()).toBe(200);
}

/** What every operation on one entry answers to an entry, a bucket or a key that is none. */
export async function expectEntryFaults(path: (entry: string) => string, bucket: string): Promise<void> {
  await expectRefusal(await callOperation(path(formatEntry(bucket))), 400, 'invalid argument');
  await expectRefusal(await callOperation(path('!')), 400, 'invalid argument');
  const notUtf8 = Buffer.from(`${bucket}:\xff`, 'latin1').toString('base64url');
  await expectRefusal(await callOperation(path(notUtf8)), 400, 'key must be utf8 encoding');
  await expectRefusal(
    await callOperation(path(formatEntry(bucket, 'missing'))),
    612,
    'no such file or directory',
  );
  const entry = formatEntry(bucket, 'k');
  const foreign = await callOperation(path(entry), target.stranger);
  const nowhere = await callOperation(path(formatEntry('no-such-bucket', 'k')), target.stranger);
  expect([foreign.status, await foreign.text()]).toEqual([631, '{"error":"no such bucket"}']);
  expect([nowhere.status, await nowhere.text()]).toEqual([631, '{"error":"no such bucket"}']);
}

export function condition(text: string): string {
  return encodeBase64Text(text);
}
