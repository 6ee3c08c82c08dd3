/** The deployment under test, and short words for what most tests do with it. */
import { randomBytes } from 'node:crypto';
import { createBucket, type FormUpload, stat as statCall, uploadForm, uploadToken } from '@millpond/testing';
import { inject } from 'vitest';

export const target = inject('target');

/** A new public bucket of the main account. */
export async function newBucket(): Promise<string> {
  const name = `b-${randomBytes(6).toString('hex')}`;
  await createBucket(target.url, target.account, name);
  return name;
}

/** A form upload with a token of the main account for this policy. */
export function upload(
  policy: Record<string, unknown>,
  content: Uint8Array<ArrayBuffer> | string,
  form: Omit<FormUpload, 'token'> = {},
): Promise<Response> {
  return uploadForm(target.url, content, { token: uploadToken(target.account, policy), ...form });
}

export function stat(bucket: string, key: string): Promise<Response> {
  return statCall(target.url, target.account, bucket, key);
}

export function download(bucket: string, key: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${target.url}/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`, init);
}
