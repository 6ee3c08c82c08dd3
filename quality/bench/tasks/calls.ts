/** Tasks as a client submits and queries them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { signedFetch } from '@millpond/testing';
import type { Address } from '../load/work.ts';
import { signedForm } from '../requests.ts';
import type { BucketTarget } from '../upload.ts';

export async function submit(
  target: BucketTarget,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const body = new URLSearchParams({ bucket: target.bucket, ...fields }).toString();
  const answer = await signedFetch(target.url, target.account, '/pfop/', { body });
  const { persistentId } = (await answer.json()) as { persistentId?: string };
  if (persistentId === undefined) throw new Error(`no task: ${answer.status}`);
  return persistentId;
}

/** Submits this many tasks on the object `source`, a few at a time. */
export async function submitMany(
  target: BucketTarget,
  count: number,
  fops: (number: number) => string,
  more: Readonly<Record<string, string>> = {},
  lanes = 16,
): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < count; number = next++)
      ids.push(await submit(target, { key: 'source', fops: fops(number), force: '1', ...more }));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return ids;
}

/** A submission as bytes, for the load process. */
export function submitRequest(
  to: Address,
  { account, bucket }: BucketTarget,
  fields: Readonly<Record<string, string>>,
) {
  const body = new URLSearchParams({ bucket, ...fields }).toString();
  return signedForm(to, account, '/pfop/', body);
}

interface OwnTask {
  readonly code: number;
  readonly creationDate: string;
  readonly finishDate?: string;
  readonly items: readonly { readonly error: string; readonly key?: string }[];
}

/** Seconds from submission to end, by the database's clock; the task must succeed. */
export async function secondsOf({ url, account }: BucketTarget, id: string): Promise<number> {
  for (;;) {
    const target = `/v1/tasks/${id}`;
    const answer = await signedFetch(url, account, target, { method: 'GET', contentType: null });
    const task = (await answer.json()) as OwnTask;
    if (task.code === 3) throw new Error(`task ${id} failed: ${task.items[0]?.error}`);
    if (task.code === 0 && task.finishDate !== undefined)
      return (Date.parse(task.finishDate) - Date.parse(task.creationDate)) / 1000;
    await sleep(50);
  }
}

export const saveas = ({ bucket }: BucketTarget, key: string) => `saveas/${formatEntry(bucket, key)}`;
/** A command that takes as long as this address takes to answer, and next to no processor time. */
export const waitFor = (url: string) =>
  `concat/mimeType/${encodeBase64Text('text/plain')}/${encodeBase64Text(url)}`;
