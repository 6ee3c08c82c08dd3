/**
 * Calls that carry passwords, tokens and secrets travel encrypted, or not at all, and nothing on the way keeps what they
 * answer. They are never redirected.
 */
import { Fault } from '@millpond/protocol';
import type { Call } from '../../platform/web/index.ts';

export function requireTls(call: Call, plainHttp: boolean): void {
  if (!call.peer.secure && !plainHttp)
    throw new Fault('badRequest', { hint: 'this call answers over HTTPS only' });
}

/** Whatever the answer becomes, our own failure included. */
export function forbidStoring(call: Call): void {
  call.response.setHeader('cache-control', 'no-store');
}
