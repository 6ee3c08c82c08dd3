/** A namespace's callback. It may be given without a scheme (`1.2.3.4:8888/callback`), which means http. */
import { type OutboundClient, OutboundError } from '@millpond/outbound';
import { Fault } from '@millpond/protocol';

export function callbackUrl(given: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
}

/** Refuses URLs that no event could be sent to. Denied addresses are not checked here: they fail when called. */
export function checkCallback(outbound: Pick<OutboundClient, 'check'>, given: string): void {
  if (given === '') return;
  try {
    outbound.check(callbackUrl(given));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.blocked?.address === undefined)
      throw new Fault('invalidArgument', { hint: `callback: ${error.detail}` });
  }
}
