/** Whether a task's end could ever be told to this address. */
import { Fault } from '@millpond/protocol';
import { type Outbound, OutboundFault } from '../../../platform/outbound/index.ts';

/** Refuses what no notification could be sent to; a denied address is not judged here: it fails where it is called. */
export function checkNotifyUrl(outbound: Outbound, url: string): void {
  try {
    outbound.check(url, undefined);
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error;
    if (error.blocked?.address === undefined)
      throw new Fault('invalidArgument', { hint: `notifyURL: ${error.detail}` });
  }
}
