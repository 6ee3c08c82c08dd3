/** What a device or a channel is just now, as a mark. */
import type { ChannelRecord, DeviceRecord } from '@millpond/client/session';
import type { MarkState } from '../../ui/mark.tsx';

export function markOfDevice({ state, media }: Pick<DeviceRecord, 'state' | 'media'>): MarkState {
  if (state === 'notReg') return 'wait';
  if (state === 'offline') return media.wanted > 0 ? 'bad' : 'off';
  return media.wanted > media.running ? 'warn' : 'ok';
}

export function markOfChannel({ state, media }: Pick<ChannelRecord, 'state' | 'media'>): MarkState {
  if (media.state === 'failed') return 'bad';
  if (media.state === 'waiting' || media.state === 'inviting') return 'busy';
  return state === 'online' ? 'ok' : 'off';
}

/** `…1320000001`: the digits that tell devices of one place apart. */
export function shortId(gbId: string): string {
  return gbId.length === 20 ? `…${gbId.slice(10)}` : gbId;
}
