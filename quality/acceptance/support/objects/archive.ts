/** Archive objects in few words: storing, restoring, changing their class, and letting time pass for them. */
import { formatEntry, makeUploadToken } from '@millpond/protocol';
import { type Account, type ArchiveRows, hashing, openArchiveRows, uploadForm } from '@millpond/testing';
import { afterAll, expect } from 'vitest';
import type { RawResponse } from '../raw.ts';
import { rawFetch } from '../raw.ts';
import { newKey } from '../receivers/callbacks.ts';
import { type Signer, sendSigned } from '../signing.ts';
import { newBucket, target } from '../target.ts';

export const UNRESTORED = { 2: 'archive unrestored', 3: 'deep archive unrestored' } as const;
/** How long a restore takes, by the defaults: in seconds. */
export const RESTORE_SECONDS = { 2: 60, 3: 5 * 3600 } as const;
export const DAY_SECONDS = 86_400;
export type ArchiveClass = 2 | 3;

export interface ArchiveObject {
  readonly bucket: string;
  readonly key: string;
  readonly storageClass: number;
}

/** Where an object is: a server, and the account whose it is. */
export interface Site {
  readonly url: string;
  readonly account: Account;
}

export function restoreTarget(
  { bucket, key }: Pick<ArchiveObject, 'bucket' | 'key'>,
  days: number | string,
): string {
  return `/restoreAr/${formatEntry(bucket, key)}/freezeAfterDays/${days}`;
}

export function restoreAr(
  object: Pick<ArchiveObject, 'bucket' | 'key'>,
  days: number | string = 1,
  signer?: Signer,
): Promise<RawResponse> {
  return sendSigned({ target: restoreTarget(object, days) }, signer);
}

export function chtype(
  { bucket, key }: Pick<ArchiveObject, 'bucket' | 'key'>,
  type: number | string,
  signer?: Signer,
): Promise<RawResponse> {
  return sendSigned({ target: `/chtype/${formatEntry(bucket, key)}/type/${type}` }, signer);
}

/** A new object of this class, under a key that is unique in the region. */
export async function archived(
  storageClass: number,
  content = 'hello archive',
  options: { bucket?: string; key?: string; site?: Site } = {},
): Promise<ArchiveObject> {
  const { site = target, key = newKey() } = options;
  const bucket = options.bucket ?? (await newBucket());
  // A clock that is wrong by hours must not make the token expire.
  const policy = { scope: `${bucket}:${key}`, deadline: 4_000_000_000, fileType: storageClass };
  const token = makeUploadToken(hashing, site.account, JSON.stringify(policy));
  const answer = await uploadForm(site.url, content, { token, key });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return { bucket, key, storageClass };
}

export function get({ bucket, key }: ArchiveObject, url = target.url, method = 'GET'): Promise<RawResponse> {
  return rawFetch({ method, target: `/${bucket}/${key}` }, url);
}

/** Rows of the shared deployment (or another), opened when first asked and closed after the file's tests. */
export function useArchiveRows(
  regionUrl: () => string = () => target.environment.MILLPOND_REGION_DB ?? '',
): ArchiveRows {
  let opened: ArchiveRows | undefined;
  afterAll(() => opened?.close());
  return new Proxy({} as ArchiveRows, {
    get(_, name: keyof ArchiveRows) {
      opened ??= openArchiveRows(regionUrl());
      return opened[name];
    },
  });
}
