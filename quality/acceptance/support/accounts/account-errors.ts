/** The interface's table of account and token errors, and what every answer of those calls must have. */
import { expect } from 'vitest';
import type { RawResponse } from '../raw.ts';

/** By error_code. */
const table: Readonly<Record<number, readonly [status: number, error: string]>> = {
  1: [405, 'invalid_request_method'],
  2: [400, 'invalid_client'],
  3: [400, 'invalid_token'],
  4: [400, 'invalid_email'],
  5: [400, 'invalid_grant_type'],
  6: [400, 'invalid_without_params'],
  7: [400, 'invalid_empty_params'],
  8: [400, 'invalid_bad_request'],
  9: [401, 'expired_token'],
  10: [409, 'record_exists'],
  11: [401, 'failed_authentication'],
  12: [417, 'failed_request'],
  13: [403, 'unauthorized_client'],
  14: [400, 'record_not_found'],
  15: [401, 'permission_denied'],
};

/** Exactly this row of the table: status, body, and the headers that go with it. */
export function expectAccountError(answer: RawResponse, code: number): void {
  const [status, error] = table[code] ?? [];
  expect({ status: answer.status, body: answer.json() }).toEqual({
    status,
    body: { error, error_code: code, error_description: expect.stringMatching(/./) },
  });
  expectUnstored(answer);
}

export function expectUnstored(answer: RawResponse): void {
  expect(answer.header('content-type')).toBe('application/json');
  expect(answer.header('cache-control')).toBe('no-store');
  expect(answer.header('x-reqid')).toMatch(/./);
}

/** A refusal for a while, with the time to wait. */
export function expectTooOften(answer: RawResponse): void {
  expectAccountError(answer, 12);
  expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
}
