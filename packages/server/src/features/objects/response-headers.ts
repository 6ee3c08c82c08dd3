/**
 * Response headers that an object's owner may set: a metadata name that begins with `!`. What decides how a connection, a
 * proxy or a browser's guard behaves is not among them.
 */
import {
  type Dialect,
  Fault,
  type MetadataChange,
  parseMetadataChange,
  responseHeaderName,
  responseHeaderNames,
} from '@millpond/protocol';

const OTHERS = new Set(['content-type', 'last-modified']);
/** Names that servers in front obey, that browsers take as a guard, or that are ours. */
const RESERVED = /^x-(?:accel|sendfile|lighttpd|content|frame|xss|forwarded|real|reqid|log|svc|qn|qiniu)/;

/** One pair as it comes in, by whichever way: `name` is what follows the dialect's prefix. */
export function readMetadataPair(
  name: string,
  value: string,
  dialect: Pick<Dialect, 'setsOtherHeaders'>,
): MetadataChange {
  const change = parseMetadataChange(name, value);
  if (change.kind === 'headers' && !maySet(change.name, dialect))
    throw refuse(`the header ${change.name} can't be set, but ${responseHeaderNames.join(', ')}`);
  return change;
}

function maySet(name: string, { setsOtherHeaders }: Pick<Dialect, 'setsOtherHeaders'>): boolean {
  if (responseHeaderName(name) !== undefined) return true;
  return setsOtherHeaders && (OTHERS.has(name) || (name.startsWith('x-') && !RESERVED.test(name)));
}

function refuse(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
