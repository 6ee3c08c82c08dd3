/** Objects for tests to look at. */
import { randomBytes } from 'node:crypto';
import { formatEntry } from '@millpond/protocol';
import { expect } from 'vitest';
import { newBucket, upload } from '../target.ts';

export interface Stored {
  readonly bucket: string;
  readonly key: string;
  readonly hash: string;
  /** The raw target of a stat of it. */
  readonly stat: string;
  /** The raw target of a download of it. */
  readonly path: string;
}

/** Uploads content under a key that is free; the bucket is a new one unless it is given. */
export async function store(
  key: string,
  content: Uint8Array<ArrayBuffer> | string,
  options: { bucket?: string; mimeType?: string } = {},
): Promise<Stored> {
  const bucket = options.bucket ?? (await newBucket());
  const form = options.mimeType === undefined ? { key } : { key, mimeType: options.mimeType };
  const answer = await upload({ scope: bucket }, content, form);
  expect(answer.status, await answer.clone().text()).toBe(200);
  const { hash } = (await answer.json()) as { hash: string };
  return { bucket, key, hash, stat: statTarget(bucket, key), path: downloadPath(bucket, key) };
}

export function statTarget(bucket: string, key: string): string {
  return `/stat/${formatEntry(bucket, key)}`;
}

/** Every byte of the key that isn't plain is percent-encoded; slashes and dots stay. */
export function downloadPath(bucket: string, key: string): string {
  return `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

export function randomContent(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(size));
}
