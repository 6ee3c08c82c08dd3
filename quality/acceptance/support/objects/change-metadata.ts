/** Metadata changes in few words: the path of a change, the call, and what an object then shows. */
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { expect } from 'vitest';
import type { RawResponse } from '../raw.ts';
import { type Signer, sendSigned } from '../signing.ts';
import { download, stat } from '../target.ts';

export interface Change {
  readonly mime?: string;
  /** By name, as it stands in the path. */
  readonly meta?: Readonly<Record<string, string>>;
  readonly cond?: string;
}

export function chgmTarget(bucket: string, key: string, { mime, meta = {}, cond }: Change): string {
  const pairs = [
    ...(mime === undefined ? [] : [['mime', mime] as const]),
    ...Object.entries(meta).map(([name, value]) => [`x-svc-meta-${name}`, value] as const),
    ...(cond === undefined ? [] : [['cond', cond] as const]),
  ];
  const segments = pairs.map(([name, value]) => `/${name}/${encodeBase64Text(value)}`);
  return `/chgm/${formatEntry(bucket, key)}${segments.join('')}`;
}

export function chgm(bucket: string, key: string, change: Change, signer?: Signer): Promise<RawResponse> {
  return sendSigned({ target: chgmTarget(bucket, key, change) }, signer);
}

/** 200 with an empty body, of the type that the interface gives it. */
export function expectEmpty(answer: RawResponse): void {
  expect([answer.status, answer.text()]).toEqual([200, '']);
  expect(answer.header('content-type')).toBe('application/json');
  expect(answer.header('x-reqid')).toMatch(/./);
}

/** A refusal with exactly this status and text; a hint may stand beside it. */
export function expectRefused(answer: RawResponse, status: number, error: string): void {
  const { hint: _, ...body } = answer.json() as Record<string, unknown>;
  expect({ status: answer.status, body }).toEqual({ status, body: { error } });
  expect(answer.header('content-type')).toBe('application/json');
}

export interface StatRecord {
  readonly mimeType: string;
  readonly 'x-svc-meta'?: Readonly<Record<string, string>>;
  readonly restoreStatus?: number;
  readonly restoreReady?: number;
  readonly restoreEnds?: number;
  readonly type: number;
}

export async function shownBy(bucket: string, key: string): Promise<StatRecord> {
  const answer = await stat(bucket, key);
  expect(answer.status).toBe(200);
  return (await answer.json()) as StatRecord;
}

export async function metaOf(bucket: string, key: string): Promise<Readonly<Record<string, string>>> {
  return (await shownBy(bucket, key))['x-svc-meta'] ?? {};
}

/** The type and the custom pairs that a download carries in its headers. */
export async function headersOf(
  bucket: string,
  key: string,
): Promise<[string | null, Record<string, string>]> {
  const answer = await download(bucket, key, { method: 'HEAD' });
  const meta = [...answer.headers].filter(([name]) => name.startsWith('x-svc-meta-'));
  return [answer.headers.get('content-type'), Object.fromEntries(meta)];
}
