/** What the registrar answers. */
import type { OutgoingResponse } from '@millpond/camera-wire';

const RETRY_SECONDS = 5;

export const sipOk: OutgoingResponse = { status: 200, reason: 'OK' };
export const sipBadRequest: OutgoingResponse = { status: 400, reason: 'Bad Request' };
/** Does not reveal whether the id, the name or the password was wrong. */
export const sipForbidden: OutgoingResponse = { status: 403, reason: 'Forbidden' };
export const sipMethodNotAllowed: OutgoingResponse = {
  status: 405,
  reason: 'Method Not Allowed',
  headers: [['Allow', 'REGISTER, MESSAGE, NOTIFY, OPTIONS, BYE']],
};
export const sipNoSuchCall: OutgoingResponse = { status: 481, reason: 'Call/Transaction Does Not Exist' };
/** All refused devices try again: the wait varies, so that they don't come back at the same time. */
export function sipBusy(): OutgoingResponse {
  const wait = RETRY_SECONDS + Math.floor(Math.random() * RETRY_SECONDS);
  return { status: 503, reason: 'Service Unavailable', headers: [['Retry-After', String(wait)]] };
}

export function sipChallenge(realm: string, nonce: string, isStale: boolean): OutgoingResponse {
  const value = `Digest realm="${realm}",nonce="${nonce}",algorithm=MD5,qop="auth"${isStale ? ',stale=true' : ''}`;
  return { status: 401, reason: 'Unauthorized', headers: [['WWW-Authenticate', value]] };
}

export function sipIntervalTooBrief(minSeconds: number): OutgoingResponse {
  return { status: 423, reason: 'Interval Too Brief', headers: [['Min-Expires', String(minSeconds)]] };
}

/** Cameras set their clocks by its date: local time, as GB/T 28181 writes it. */
export function sipRegistered(contact: string, seconds: number, now = new Date()): OutgoingResponse {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 23);
  return {
    ...sipOk,
    headers: [
      ['Date', local],
      ...(seconds > 0 && contact !== '' ? [['Contact', contact] as const] : []),
      ['Expires', String(seconds)],
    ],
  };
}
