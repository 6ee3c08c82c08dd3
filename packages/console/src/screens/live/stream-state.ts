/** What a stream is just now, as a mark and a word. */
import type { StreamRecord } from '@millpond/client/session';
import type { MarkState } from '../../ui/mark.tsx';

export interface StreamState {
  readonly mark: MarkState;
  readonly word: 'online' | 'starting' | 'offline' | 'disabled' | 'never';
}

export function stateOf({
  status,
  starting,
  disabled,
  lastPushedAt,
}: Pick<StreamRecord, 'status' | 'starting' | 'disabled' | 'lastPushedAt'>): StreamState {
  if (disabled) return { mark: 'off', word: 'disabled' };
  if (status) return starting ? { mark: 'busy', word: 'starting' } : { mark: 'ok', word: 'online' };
  return { mark: 'wait', word: lastPushedAt === 0 ? 'never' : 'offline' };
}

/** `4.8 Mbit/s` */
export function bitrate(bits: number): string {
  const [value, unit] = bits >= 1e6 ? [bits / 1e6, 'Mbit/s'] : [bits / 1e3, 'kbit/s'];
  return `${value.toFixed(value < 100 && unit === 'Mbit/s' ? 1 : 0)} ${unit}`;
}
