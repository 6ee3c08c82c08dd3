/**
 * Calls that carry passwords, tokens and secrets must be encrypted, and nothing along the way may store their answers.
 * They are never redirected.
 */
import { Fault } from '@millpond/protocol';
import type { RequestContext } from '../../platform/web/index.ts';

export function requireTls(context: RequestContext, plainHttp: boolean): void {
  if (!context.peer.secure && !plainHttp)
    throw new Fault('badRequest', { hint: 'this call answers over HTTPS only' });
}

/** Applies to every answer, including our own failures. */
export function forbidStoring(context: RequestContext): void {
  context.response.setHeader('cache-control', 'no-store');
}
