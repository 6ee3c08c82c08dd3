/** Uploads with a callback in few words, and what a failed one must answer. */
import { randomBytes } from 'node:crypto';
import { openRegionDatabase, type RegionDatabase } from '@millpond/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { operate } from '../accounts/operator.ts';
import { target } from '../target.ts';

/** All that the client is told of a callback that failed. */
export interface CallbackFailure {
  readonly callback_url: string;
  readonly callback_bodyType: string;
  readonly callback_body: string;
  readonly token: string;
  readonly err_code: number;
  readonly error: string;
  readonly hash: string;
  readonly key: string;
}

const FIELDS = [
  'callback_body',
  'callback_bodyType',
  'callback_url',
  'err_code',
  'error',
  'hash',
  'key',
  'token',
];

/** The answer is 579 with exactly one field, a string that holds JSON with exactly the eight fields. */
export async function failureOf(answer: Response): Promise<CallbackFailure> {
  const text = await answer.text();
  expect(answer.status, text).toBe(579);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('x-reqid')).toMatch(/./);
  const body = JSON.parse(text) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toBeTypeOf('string');
  const failure = JSON.parse(body.error as string) as CallbackFailure;
  expect(Object.keys(failure).toSorted()).toEqual(FIELDS);
  expect(failure.token).toMatch(/^[\w-]+:[\w-]+=*:[\w-]+=*$/);
  return failure;
}

/** The webhook secrets of an account, as the operator hands them out. */
export async function webhookSecrets(email: string = target.account.email): Promise<string[]> {
  const printed = await operate(['account', 'webhook-secret', email, '--json']);
  return (JSON.parse(printed) as { secrets: string[] }).secrets;
}

/** A key that nothing in the region has yet. */
export function newKey(): string {
  return `k-${randomBytes(8).toString('hex')}`;
}

/** The shared deployment's region database, open while the file's tests run. */
export function useRegion(): { readonly database: RegionDatabase } {
  let database: RegionDatabase | undefined;
  beforeAll(async () => {
    database = await openRegionDatabase(target.environment.MILLPOND_REGION_DB ?? '');
  });
  afterAll(() => database?.close());
  return {
    get database() {
      if (database === undefined) throw new Error('the database is open only while tests run');
      return database;
    },
  };
}
