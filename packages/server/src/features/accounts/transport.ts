/** Calls that carry passwords, tokens and secrets travel encrypted, or not at all. They are never redirected. */
import { Fault } from '@millpond/protocol';
import type { Call } from '../../platform/web/index.ts';

export function requireTls(call: Call, plainHttp: boolean): void {
  if (!call.peer.secure && !plainHttp)
    throw new Fault('badRequest', { hint: 'this call answers over HTTPS only' });
}
