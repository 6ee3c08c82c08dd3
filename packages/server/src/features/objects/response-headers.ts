/**
 * Response headers that an object's owner may set (a metadata name that begins with `!`, in dialects that know it).
 * What decides how a connection, a proxy or a browser's guard behaves is not among them.
 */
import { type Dialect, Fault, type MetadataChange } from '@millpond/protocol';

const PLAIN = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
  'last-modified',
]);
/** Names that servers in front obey, that browsers take as a guard, or that are ours. */
const RESERVED = /^x-(?:accel|sendfile|lighttpd|content|frame|xss|forwarded|real|reqid|log|svc|qn|qiniu)/;

export function checkResponseHeader(
  { name }: MetadataChange,
  { setsResponseHeaders }: Pick<Dialect, 'setsResponseHeaders'>,
): void {
  if (!setsResponseHeaders) throw refuse('a metadata name is letters, digits, _ or -');
  if (PLAIN.has(name) || (name.startsWith('x-') && !RESERVED.test(name))) return;
  throw refuse(`the header ${name} can't be set`);
}

function refuse(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}
