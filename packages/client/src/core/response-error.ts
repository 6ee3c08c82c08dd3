/** The error for an answer as received: with what its headers tell, and what only this side can know about a refusal. */
import { MAX_CLOCK_SKEW_SECONDS, parseHttpDate } from '@millpond/protocol';
import { type ErrorCode, type MillpondError, parseRetryAfter, responseToError } from './error.ts';
import type { TransportResponse } from './transport.ts';

/** `credential` is an access key or a token: the part before its first colon is not secret. */
export async function refusalOf(answer: TransportResponse, credential?: string): Promise<MillpondError> {
  return responseToError(answer.status, await answer.text(), {
    reqid: answer.header('x-reqid'),
    retryAfter: parseRetryAfter(answer.header('retry-after')),
    hintOf: (code) => hintOf(code, answer, credential),
  });
}

function hintOf(
  code: ErrorCode,
  answer: TransportResponse,
  credential: string | undefined,
): string | undefined {
  const isRefused = answer.status === 401 || code === 'requestTimeTooSkewed';
  if (!isRefused || code === 'unexpected') return undefined;
  const clock = clockHint(answer.header('date'));
  if (clock !== undefined || code !== 'badToken' || credential === undefined) return clock;
  const [accessKey] = credential.split(':', 1);
  return `the access key ${accessKey} is unknown or disabled there, or its secret is wrong`;
}

/** Undefined in a page of another origin, which can't see the server's time. */
function clockHint(date: string | undefined): string | undefined {
  const there = parseHttpDate(date ?? '');
  const ahead = there === undefined ? 0 : Date.now() / 1000 - there;
  if (Math.abs(ahead) <= MAX_CLOCK_SKEW_SECONDS) return undefined;
  return `this machine's clock is ${durationWords(Math.abs(ahead) / 60)} ${ahead < 0 ? 'behind' : 'ahead of'} the server's`;
}

function durationWords(minutes: number): string {
  if (minutes < 120) return `${Math.round(minutes)} minutes`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
}
