/** Objects as a client uploads them, and tokens for as many as a bench sends. */
import { type Account, uploadForm, uploadToken } from '@millpond/testing';
import type { Stage } from './stage.ts';

const DAY_SECONDS = 24 * 3600;

/** A bucket, and the account that uses it. */
export interface BucketTarget {
  readonly url: string;
  readonly account: Account;
  readonly bucket: string;
}

/** The first bucket of a stage. */
export function siteOf({ server, account, buckets: [bucket = ''] }: Stage): BucketTarget {
  return { url: server.url, account, bucket };
}

/** Returns the target for downloading it. */
export async function upload(
  { url, account, bucket }: BucketTarget,
  key: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const token = uploadToken(account, { scope: bucket });
  const answer = await uploadForm(url, content, { token, key });
  if (!answer.ok) throw new Error(`uploading ${key}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
  return `/${bucket}/${key}`;
}

/** For all uploads of a run, however long it takes. */
export function longToken({ account, bucket }: BucketTarget): string {
  const deadline = Math.floor(Date.now() / 1000) + DAY_SECONDS;
  return uploadToken(account, { scope: bucket, deadline });
}
