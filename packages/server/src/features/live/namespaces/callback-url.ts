/** A namespace's callback: it may be given without a scheme (`1.2.3.4:8888/callback`), which then is http. */
import { Fault } from '@millpond/protocol';
import { type Outbound, OutboundFault } from '../../../platform/outbound/index.ts';

export function callbackUrl(given: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
}

/** Refuses what no event could be sent to. A denied address is not judged here: it fails where it is called. */
export function checkCallback(outbound: Pick<Outbound, 'check'>, given: string): void {
  if (given === '') return;
  try {
    outbound.check(callbackUrl(given));
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error;
    if (error.blocked?.address === undefined)
      throw new Fault('invalidArgument', { hint: `callback: ${error.detail}` });
  }
}
