/** How a receiver does, from its record. */
import type { EndpointRecord } from '@millpond/client/session';
import type { MarkState } from '../../ui/mark.tsx';

export interface Health {
  readonly mark: MarkState;
  readonly word: 'suspended' | 'away' | 'refuses' | 'well' | 'quiet';
}

export function healthOf({
  suspended,
  failingSince,
  waiting,
  lastSuccess,
  lastFailure,
}: Pick<EndpointRecord, 'suspended' | 'failingSince' | 'waiting' | 'lastSuccess' | 'lastFailure'>): Health {
  if (suspended !== undefined) return { mark: 'off', word: 'suspended' };
  if (failingSince !== undefined) return { mark: 'bad', word: 'away' };
  if (lastFailure !== undefined && (lastSuccess === undefined || lastSuccess < lastFailure))
    return { mark: 'warn', word: 'refuses' };
  if (lastSuccess === undefined && waiting === 0) return { mark: 'wait', word: 'quiet' };
  return { mark: 'ok', word: 'well' };
}
