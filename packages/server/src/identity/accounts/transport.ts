/**
 * Calls that carry passwords, tokens and secrets must be encrypted, and nothing along the way may store their answers.
 * They are never redirected.
 */
import { Fault } from '@millpond/protocol';
import type { Call } from '../../platform/web/index.ts';

export function requireTls(call: Call, plainHttp: boolean): void {
  if (!call.peer.secure && !plainHttp)
    throw new Fault('badRequest', { hint: 'this call answers over HTTPS only' });
}

/** Applies to every answer, including our own failures. */
export function forbidStoring(call: Call): void {
  call.response.setHeader('cache-control', 'no-store');
}
