/** The notification of a task's end: where it may go, and its delivery. */
import { type OutboundClient, OutboundError } from '@millpond/outbound';
import { Fault } from '@millpond/protocol';
import type { Deliveries } from '../../../events/deliveries/index.ts';
import type { Notify } from './task-completion.ts';

/** Refuses a URL that no notification could be sent to. Denied addresses are not checked here: they fail when called. */
export function checkNotifyUrl(outbound: OutboundClient, url: string): void {
  try {
    outbound.check(url, undefined);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.blocked?.address === undefined)
      throw new Fault('invalidArgument', { hint: `notifyURL: ${error.detail}` });
  }
}

/** Writes the delivery in the transaction that ends the task. */
export function notifyBy(deliveries: Deliveries): Notify {
  return async (transaction, task, body) => {
    if (task.notify_url === null) return;
    await deliveries.add(transaction, {
      kind: 'notification',
      uid: task.uid,
      accessKey: task.access_key ?? undefined,
      url: task.notify_url,
      endpoint: undefined,
      contentType: 'application/json',
      body,
      entity: undefined,
      subject: task.task_id,
      reqid: task.reqid,
    });
  };
}
