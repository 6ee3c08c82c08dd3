/** Why a delivery waits: for its time, a sender, an earlier delivery, or its receiver. */
import type { WireRecord } from '@millpond/protocol';
import type { DeliveryDetailRow } from './delivery-list.store.ts';

type WaitingFor = WireRecord<'WaitingFor'>;

/** Undefined if it doesn't wait: it is being sent, or is over. */
export function deliveryWait(
  row: Pick<
    DeliveryDetailRow,
    'queue_state' | 'due_at' | 'asked_at' | 'endpoint_state' | 'probe_at' | 'endpoint_reason'
  >,
): WaitingFor | undefined {
  switch (row.queue_state) {
    case 'following':
      return { reason: 'order', text: 'an earlier delivery of the same entity: they arrive in order' };
    case 'parked':
      return receiverWait(row);
    case 'due':
      return row.due_at !== null && row.due_at > row.asked_at
        ? until('retry', 'the next attempt', row.due_at)
        : { reason: 'turn', text: 'its turn: it is due, and a sender takes it' };
    case 'leased':
    case null:
      return undefined;
  }
}

function receiverWait({
  endpoint_state: state,
  probe_at,
  endpoint_reason,
}: Pick<DeliveryDetailRow, 'endpoint_state' | 'probe_at' | 'endpoint_reason'>): WaitingFor {
  if (state === 'suspended') {
    const why = endpoint_reason === null ? '' : ` (${endpoint_reason})`;
    return { reason: 'receiver', text: `its endpoint, which is suspended${why}, to be resumed` };
  }
  if (state === 'open' && probe_at !== null)
    return until('receiver', 'the receiver, which was away; it is tried again', probe_at);
  if (state === 'half-open') return { reason: 'receiver', text: 'the receiver, which is being tried again' };
  return { reason: 'receiver', text: 'the receiver, which gets as many at a time as it answers' };
}

function until(reason: 'retry' | 'receiver', words: string, at: Date): WaitingFor {
  const time = at.toISOString();
  return { reason, text: `${words} at ${time}`, until: time };
}
