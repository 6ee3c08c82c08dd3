/**
 * The headers of an origin's answer that stay with the file. Without its content coding a compressed file would be noise;
 * the others are what its downloads said before, and still say here.
 */
import type { OutboundHeaders } from '@millpond/outbound';
import { MAX_RESPONSE_HEADERS_BYTES, responseHeaderFault } from '@millpond/protocol';

/** In order of priority, if together they are too long. */
const CARRIED = ['content-encoding', 'content-disposition', 'content-language', 'cache-control', 'expires'];

/** A value that is not allowed in our headers counts as absent. */
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
