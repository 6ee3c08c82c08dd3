/**
 * Of an origin's answer, the headers that stay with the file. Without its coding a file that came compressed would be
 * noise; the others are what its downloads said before, and say from here on.
 */
import { MAX_RESPONSE_HEADERS_BYTES, responseHeaderFault } from '@millpond/protocol';
import type { OutboundHeaders } from '../../platform/outbound/index.ts';

/** The first ones first, should they be too much together. */
const CARRIED = ['content-encoding', 'content-disposition', 'content-language', 'cache-control', 'expires'];

/** What may not stand in our headers counts as not given. */
export function carriedHeaders(answered: OutboundHeaders): Readonly<Record<string, string>> | undefined {
  const carried: Record<string, string> = {};
  let room = MAX_RESPONSE_HEADERS_BYTES;
  for (const name of CARRIED) {
    const value = [answered[name] ?? []].flat().join(', ');
    if (value === '' || responseHeaderFault(name, value) !== undefined) continue;
    if (name.length + value.length > room) continue;
    room -= name.length + value.length;
    carried[name] = value;
  }
  return Object.keys(carried).length === 0 ? undefined : carried;
}
