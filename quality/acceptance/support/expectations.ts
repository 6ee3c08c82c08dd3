/** What several tests expect in the same words: refusals, stored objects, and that nothing was stored. */
import { expect } from 'vitest';
import type { RawResponse } from './raw.ts';
import type { FormResponse } from './raw-form.ts';
import { download, stat } from './target.ts';

/** A refusal with exactly this status and text. A hint may stand beside the text, nothing else. */
export async function expectRefusal(answer: FormResponse, status: number, error: string): Promise<void> {
  const body = (await answer.json()) as Record<string, unknown>;
  const { hint: _, ...rest } = body;
  expect({ status: answer.status, body: rest }).toEqual({ status, body: { error } });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('x-reqid')).toMatch(/./);
}

/** The same of an answer that came raw. */
export function expectRefusalOf(answer: RawResponse, status: number, error: string): void {
  const { hint: _, ...rest } = answer.json() as Record<string, unknown>;
  expect({ status: answer.status, body: rest }).toEqual({ status, body: { error } });
  expect(answer.header('x-reqid')).toMatch(/./);
}

/** The upload answered with hash and key, and the object holds these bytes. */
export async function expectStored(
  answer: FormResponse,
  bucket: string,
  key: string,
  content: Uint8Array | string,
): Promise<void> {
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 200,
    body: { hash: expect.stringMatching(/^[Fl][\w-]{27}$/), key },
  });
  await expectContent(bucket, key, content);
}

export async function expectContent(
  bucket: string,
  key: string,
  content: Uint8Array | string,
): Promise<void> {
  const answer = await download(bucket, key);
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.equals(Buffer.from(content)), `content of ${bucket}:${key}`).toBe(true);
}

export async function expectNothing(bucket: string, key: string): Promise<void> {
  const [record, bytes] = await Promise.all([stat(bucket, key), download(bucket, key)]);
  await expectRefusal(record, 612, 'no such file or directory');
  await expectRefusal(bytes, 404, 'not found');
}

export interface ObjectRecord {
  readonly fsize: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly type: number;
  readonly putTime: bigint;
}

/** The object's record, with its putTime to the last digit. */
export async function recordOf(bucket: string, key: string): Promise<ObjectRecord> {
  const answer = await stat(bucket, key);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  const putTime = /"putTime":(\d+)[,}]/.exec(text)?.[1] ?? '';
  return { ...(JSON.parse(text) as ObjectRecord), putTime: BigInt(putTime) };
}

/** Statuses of responses whose order means nothing, ascending. */
export function statusesOf(answers: readonly FormResponse[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}
